import {
  Ban,
  CalendarClock,
  CircleCheck,
  CircleDashed,
  Clock,
  Eye,
  Hourglass,
  type LucideIcon,
  Radio,
} from 'lucide-react';
import { useEventType, useMe } from '../api/queries.ts';
import type { Entry, Me, Registration, SchoolEvent } from '../api/types.ts';
import { t, word } from '../texts/texts.ts';
import { iconOf } from './icon.tsx';

type Look = { icon: LucideIcon; look: string };

const EVENT_LOOKS: Record<SchoolEvent['status'], Look> = {
  draft: { icon: CircleDashed, look: 'bg-hover text-soft border border-dashed border-edge' },
  scheduled: { icon: CalendarClock, look: 'bg-accent-soft text-accent-text' },
  published: { icon: Eye, look: 'bg-good-soft text-good' },
  in_progress: { icon: Radio, look: 'bg-good-soft text-good' },
  completed: { icon: CircleCheck, look: 'bg-hover text-soft' },
  cancelled: { icon: Ban, look: 'bg-bad-soft text-bad' },
  postponed: { icon: Clock, look: 'bg-warn-soft text-warn' },
};

export const REGISTRATION_LOOKS: Record<Registration['status'], Look> = {
  pending: { icon: CircleDashed, look: 'bg-warn-soft text-warn' },
  confirmed: { icon: CircleCheck, look: 'bg-good-soft text-good' },
  waitlisted: { icon: Hourglass, look: 'bg-accent-soft text-accent-text' },
  cancelled: { icon: Ban, look: 'bg-hover text-soft' },
};

const badgeClass =
  'inline-flex max-w-full items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-medium wrap-break-word';

/** A short text that marks something. */
export const Badge = ({ icon: Picture, look, text }: { icon?: LucideIcon; look: string; text: string }) => (
  <span className={`${badgeClass} ${look}`}>
    {Picture && <Picture size={13} className="shrink-0" />}
    {text}
  </span>
);

/** The status of an event. */
export const StatusBadge = ({ status }: Pick<SchoolEvent, 'status'>) => (
  <Badge {...EVENT_LOOKS[status]} text={word('status', status)} />
);

/** The status of a registration. */
export const RegistrationBadge = ({ status }: Pick<Registration, 'status'>) => (
  <Badge {...REGISTRATION_LOOKS[status]} text={word('registrationStatus', status)} />
);

/** The style sheet's name of a color; `none` is neutral. */
export const toneOf = (color: string | null | undefined): string => (color ?? 'none').toLowerCase();

/** Type and status of an event; families see no status of an event that simply takes place. */
export function Badges({ event, isStaff }: { event: Pick<SchoolEvent, 'event_type' | 'status'>; isStaff: boolean }) {
  const type = useEventType(event);
  return (
    <span className="flex min-w-0 flex-wrap gap-1.5">
      {type && (
        <span data-color={toneOf(type.color)} className="contents">
          <Badge icon={iconOf(type.icon)} look="bg-(--tone-soft) text-(--tone-text)" text={word('type', type.value)} />
        </span>
      )}
      {(isStaff || event.status !== 'published') && <StatusBadge status={event.status} />}
    </span>
  );
}

/** Says that a person has registered, is on the waitlist, waits for approval or was registered; `name` null: the reader. */
export function registeredText(how: Registration['status'] | 'was', name: string | null): string {
  const id = how as 'confirmed';
  return name === null ? t(`registered.you.${id}`) : t(`registered.name.${id}`, { name });
}

type Registrations = Pick<Entry, 'status' | 'registered'>;

/**
 * The registrations of a family for one event, each in words such as “Eva is registered”; of an event that is over only those
 * that were confirmed, and none of a cancelled one.
 */
export function registeredTexts(event: Registrations, me: Me | undefined) {
  const isOver = event.status === 'completed';
  if (event.status === 'cancelled') return [];
  return event.registered
    .filter(({ status }) => !isOver || status === 'confirmed')
    .map(({ user_id, status }) => {
      const child = me?.children.find((one) => one.user_id === user_id);
      const name = user_id === me?.user_id ? null : (child?.name ?? user_id);
      return { user_id, status, text: registeredText(isOver ? 'was' : status, name) };
    });
}

const TONES = { confirmed: 'text-good', pending: 'text-warn', waitlisted: 'text-accent-text' } as const;

/** The registrations of the family, one per line. */
export function Registered(event: Registrations) {
  const me = useMe();
  return registeredTexts(event, me).map(({ user_id, status, text }) => {
    const { icon: Picture } = REGISTRATION_LOOKS[status];
    return (
      <span key={user_id} className={`flex items-center gap-1.5 text-sm font-medium ${TONES[status]}`}>
        <Picture size={14} className="shrink-0" />
        {text}
      </span>
    );
  });
}
