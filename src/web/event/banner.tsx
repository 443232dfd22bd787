import { Ban, CalendarClock, CircleCheck, CircleDashed, Clock, Hourglass, type LucideIcon, Pencil } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { invalidateEvent } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { SECOND, useNow } from '../api/use-now.ts';
import { longDay, momentIn } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { durationText, type Timing, timingOf } from './timing.ts';

type Message = { text: string; more?: string; look: string; icon: LucideIcon | null };

const CALM = 'bg-card text-ink border border-line';

/** The state of the event by the server's clock: countdown, in progress, past, cancelled or postponed. */
export function Banner({ event }: { event: SchoolEvent }) {
  const now = useNow(SECOND);
  const timing = timingOf(event, now);
  // The allowed actions change at these moments: refetch the event, a second later since the server's clock is estimated.
  const { phase, ...later } = timingOf(event, now - SECOND);
  const stage = `${event.id} ${phase} ${isClosed(later)}`;
  const before = useRef(stage);
  useEffect(() => {
    if (before.current === stage) return;
    before.current = stage;
    void invalidateEvent(event.id);
  }, [stage, event.id]);
  const { text, more, look, icon: Picture } = messageOf(event, timing);
  return (
    <div
      data-testid="banner"
      className={`flex items-center gap-3 rounded-card px-4 py-3 ${look}`}
      role={event.status === 'cancelled' || event.status === 'postponed' ? 'alert' : undefined}
    >
      {Picture ? (
        <Picture size={20} className="shrink-0" />
      ) : (
        <span aria-hidden className="relative grid size-5 shrink-0 place-items-center">
          <span className="absolute size-4 animate-ping rounded-full bg-good opacity-40" />
          <span className="size-2.5 rounded-full bg-good" />
        </span>
      )}
      <p className="min-w-0">
        <strong className="font-semibold">{text}</strong>
        {more && <span className="ml-2 max-sm:ml-0 max-sm:block">{more}</span>}
      </p>
    </div>
  );
}

const isClosed = ({ closesIn }: Pick<Timing, 'closesIn'>): boolean => closesIn !== null && closesIn < 0;

function messageOf(event: SchoolEvent, timing: Timing): Message {
  const { phase, left, closesIn } = timing;
  const { status, cancellation_reason, postponement_reason, postponed_to, publish_at, timezone } = event;
  if (status === 'cancelled')
    return { text: t('banner.cancelled'), more: cancellation_reason ?? '', look: 'bg-bad-soft text-bad', icon: Ban };
  if (status === 'postponed') {
    const date = postponed_to ? t('banner.newDate', { day: longDay(event.start_date) }) : t('banner.noDate');
    const more = [date, postponement_reason].filter(Boolean).join(' ');
    return { text: t('banner.postponed'), more, look: 'bg-warn-soft text-warn', icon: Clock };
  }
  if (event.being_revised)
    return { text: t('banner.revised'), more: t('banner.revised.more'), look: 'bg-warn-soft text-warn', icon: Pencil };
  if (status === 'draft') return { text: t('banner.draft'), look: CALM, icon: CircleDashed };
  if (phase === 'past') return { text: t('banner.past'), look: CALM, icon: CircleCheck };
  if (phase === 'now') {
    const more = left > 0 ? t('banner.endsIn', { time: durationText(left) }) : undefined;
    return { text: t('status.in_progress'), more, look: 'bg-good-soft text-good', icon: null };
  }
  if (status === 'scheduled') {
    const more = publish_at ? t('banner.publishAt', { when: momentIn(publish_at, timezone) }) : undefined;
    return { text: t('banner.scheduled'), more, look: CALM, icon: CalendarClock };
  }
  const more =
    closesIn === null
      ? undefined
      : isClosed(timing)
        ? t('banner.closed')
        : t('banner.closesIn', { time: durationText(closesIn) });
  const text = t('banner.startsIn', { time: durationText(left) });
  return { text, more, look: 'bg-accent-soft text-accent-text', icon: Hourglass };
}
