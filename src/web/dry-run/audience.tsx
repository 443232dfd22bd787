import { BellOff, Mail } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DryRun, SchoolEvent } from '../api/types.ts';
import { clockTime, inZone } from '../texts/dates.ts';
import { numberText, t, word } from '../texts/texts.ts';
import { ClashList } from './clash-list.tsx';

type Audience = DryRun['audience'];
type Channel = keyof Audience;

/** If anyone is notified, hide channels that are off, and push if no one has it set up, which is the usual case. */
const isHidden = (channel: Channel, { told, skipped }: NonNullable<Audience[Channel]>): boolean =>
  told === 0 &&
  Object.keys(skipped).every((one) => one === 'channel_off' || (channel === 'push' && one === 'no_contact'));

type Props = {
  dryRun: Pick<DryRun, 'audience' | 'people'> &
    Partial<Pick<DryRun, 'event' | 'promotions' | 'changed_events' | 'clashes'>>;
  /** text if no one would be notified */
  none?: string;
  /** further lines */
  children?: ReactNode;
};

/**
 * The dry run of a change: whether a clock change moves the event, what it clashes with, the recipients per channel, and why
 * others are left out.
 */
export function AudiencePreview({ dryRun, none = t('notify.noOne'), children }: Props) {
  const { audience, people, event, promotions = 0, changed_events = 1, clashes } = dryRun;
  const channels = (Object.keys(audience) as Channel[]).flatMap((channel) => {
    const counted = audience[channel];
    return counted && !(people > 0 && isHidden(channel, counted)) ? [{ channel, ...counted }] : [];
  });
  const Picture = people > 0 ? Mail : BellOff;
  return (
    <>
      {event && !event.all_day && <SkippedTime {...event} />}
      {clashes && <ClashList {...clashes} />}
      <div className="grid gap-1.5 rounded-xl bg-paper p-3">
        <p className="flex items-start gap-2 font-medium">
          <Picture size={18} className={`mt-0.5 shrink-0 ${people > 0 ? 'text-accent-text' : 'text-soft'}`} />
          {people > 0 ? t('dryRun.people', { people }) : none}
        </p>
        <div className="grid gap-1 pl-6.5 text-sm text-soft empty:hidden">
          {channels.length > 0 && (
            <ul className="grid gap-0.5">
              {channels.map(({ channel, told, skipped }) => (
                <li key={channel}>
                  <span className="font-medium text-ink">{word('channel', channel)}:</span>{' '}
                  {shareText(channel, told, skipped)}
                </li>
              ))}
            </ul>
          )}
          {promotions > 0 && <p>{t('dryRun.promotions', { promotions })}</p>}
          {changed_events > 1 && <p>{t('dryRun.events', { count: changed_events })}</p>}
          {children}
        </div>
      </div>
    </>
  );
}

/** Says when an event takes place whose start or end a clock change skips. */
function SkippedTime({ starts_at, ends_at, timezone, start_time, end_time }: SchoolEvent) {
  const [start, end] = [inZone(starts_at, timezone).time, inZone(ends_at, timezone).time];
  if (start === start_time && end === end_time) return null;
  const times = { start: clockTime(start), end: clockTime(end) };
  return <p className="font-medium text-warn">{t('dryRun.skippedTime', times)}</p>;
}

/** `38 of 40 (2 have no email)` */
function shareText(channel: string, told: number, skipped: Readonly<Record<string, number>>): string {
  const reasons = Object.entries(skipped);
  const all = reasons.reduce((sum, [, count]) => sum + count, told);
  if (all === told) return numberText(told);
  const why = reasons.map(([reason, count]) =>
    reason === 'no_contact'
      ? word('noContact', channel, t('noContact.sms', { count }), { count })
      : `${numberText(count)} – ${word('reason', reason)}`,
  );
  return t('dryRun.share', { count: told, all, why: why.join(', ') });
}
