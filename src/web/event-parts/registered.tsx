import { useMe } from '../api/queries.ts';
import type { Entry, Me, Registration } from '../api/types.ts';
import { t } from '../texts/texts.ts';
import { REGISTRATION_LOOKS } from './badge.tsx';

/** Says that a person has registered, is on the waitlist or waits for approval; `name` null: the reader. */
export function heldText(status: Registration['status'], name: string | null): string {
  if (status === 'waitlisted') return name === null ? t('register.onWaitlist') : t('register.waiting', { name });
  if (status === 'pending') return name === null ? t('register.youPending') : t('register.pending', { name });
  return name === null ? t('register.youConfirmed') : t('register.confirmed', { name });
}

/** Says of an event that is over that a person was registered; `name` null: the reader. */
export const wasHeldText = (name: string | null): string =>
  name === null ? t('register.youWere') : t('register.was', { name });

type Held = Pick<Entry, 'status' | 'registered'>;

/**
 * The registrations of a family for one event, each in words such as “Eva is registered”; of an event that is over only those
 * that were confirmed, and none of a cancelled one.
 */
export function heldTexts(event: Held, me: Me | undefined) {
  const isOver = event.status === 'completed';
  if (event.status === 'cancelled') return [];
  return event.registered
    .filter(({ status }) => !isOver || status === 'confirmed')
    .map(({ user_id, status }) => {
      const child = me?.children.find((one) => one.user_id === user_id);
      const name = user_id === me?.user_id ? null : (child?.name ?? user_id);
      return { user_id, status, text: isOver ? wasHeldText(name) : heldText(status, name) };
    });
}

const TONES = { confirmed: 'text-good', pending: 'text-warn', waitlisted: 'text-accent-text' } as const;

/** The registrations of the family, one per line. */
export function Registered(event: Held) {
  const me = useMe();
  return heldTexts(event, me).map(({ user_id, status, text }) => {
    const { icon: Picture } = REGISTRATION_LOOKS[status];
    return (
      <span key={user_id} className={`flex items-center gap-1.5 text-sm font-medium ${TONES[status]}`}>
        <Picture size={14} className="shrink-0" />
        {text}
      </span>
    );
  });
}
