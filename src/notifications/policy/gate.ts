import type { SchoolEvent } from '../../events/event.ts';
import type { Fact } from '../../outbox/fact.ts';
import { sameAddressForm } from '../../people/contact.ts';
import { hasOptedOut } from '../../people/preferences.ts';
import type { RegistrationStanding } from '../../registrations/registration.ts';
import type { Delivery, Reason } from '../delivery.ts';
import { type Reader, stillMeant, subjectsOf } from './readers.ts';
import { ruleOf } from './trigger.ts';

/** What is true at this moment, read after the row became `sending`. */
export type Now = {
  event: SchoolEvent | null;
  fact: Fact | null;
  /** those of the delivery's registrations that exist */
  registrations: readonly RegistrationStanding[];
  /** what each reader doesn't want; who has said nothing may be missing */
  wishes: ReadonlyMap<string, readonly string[]>;
  suppressed: ReadonlySet<string>;
  /** who told the senders of such messages to stop */
  stopped?: ReadonlySet<string>;
  /** people of the audience who may no longer see the event */
  unseen?: ReadonlySet<string>;
  /** people who were told the same by an earlier announcement */
  told?: ReadonlySet<string>;
  /** people of a correction whom the announcement did not reach after all */
  unheard?: ReadonlySet<string>;
  at: Date;
};

/**
 * Whether a message is still true, right before the wire (delivery.md, "Gate"). The rules in the order people would
 * give them; the first that fails is the reason on the row.
 * @returns null where it may go out
 */
export function reasonToStop(delivery: Delivery, now: Now): Reason | null {
  const { event, fact } = now;
  const rule = ruleOf(delivery.trigger);
  if (!event || !fact || event.tenant_id !== delivery.tenant_id || event.school_id !== delivery.school_id)
    return 'event_gone';
  if (delivery.expires_at !== null && now.at >= delivery.expires_at) return 'expired';
  if (!rule.fits.includes(event.status)) return 'event_state';
  if (isSuperseded(delivery, event, fact)) return 'superseded';
  if (isTimed(delivery) && delivery.schedule_version !== event.schedule_version) return 'schedule_changed';
  if (fact.type === 'reminder.due' && !isWanted(event, fact)) return 'reminder_removed';
  const meant = stillMeant(delivery, now.registrations);
  if (meant.length === 0) return 'registration_ended';
  if (meant.every((reader) => isHidden(reader, now))) return 'not_visible';
  if (now.told?.has(delivery.user_id)) return 'told_before';
  if (now.unheard?.has(delivery.user_id)) return 'never_told';
  if (isSilenced(event, fact)) return 'notifications_off';
  if (addressees(delivery, now).length === 0) return 'opted_out';
  if (delivery.address === null) return null;
  const address = sameAddressForm(delivery.address);
  if (now.stopped?.has(address)) return 'opted_out';
  if (now.suppressed.has(address)) return 'suppressed';
  return null;
}

/** Whom a message that may go out speaks to: of those it is still for, the ones who want it. One address, one message. */
export const addressees = (delivery: Delivery, now: Pick<Now, 'registrations' | 'wishes' | 'unseen'>): Reader[] =>
  stillMeant(delivery, now.registrations).filter(
    (reader) => !isHidden(reader, now) && !doesNotWant(reader, delivery, now),
  );

const isHidden = (reader: Reader, { unseen }: Pick<Now, 'unseen'>): boolean =>
  unseen !== undefined && subjectsOf(reader).every(({ user_id }) => unseen.has(user_id));

function doesNotWant({ user_id }: Reader, { trigger, channel }: Delivery, { wishes }: Pick<Now, 'wishes'>): boolean {
  if (ruleOf(trigger).mandatory.includes(channel)) return false;
  return hasOptedOut(wishes.get(user_id) ?? [], trigger, channel);
}

/**
 * Whether the event's own switch silences this fact (decisions.md, "send_notifications false"); `notify` of cancel,
 * postpone and edit overrides it for that one notice, and a bulk message is no automatic one.
 */
export function isSilenced(event: SchoolEvent, fact: Fact): boolean {
  if (fact.type === 'message.requested') return false;
  const override = overrideOf(fact);
  return override === null ? !event.send_notifications : !override;
}

function overrideOf(fact: Fact): boolean | null {
  switch (fact.type) {
    case 'event.cancelled':
    case 'event.postponed':
    case 'event.changed':
      return fact.data.notify ?? null;
    default:
      return null;
  }
}

const isWanted = ({ reminders }: SchoolEvent, { data }: Fact<'reminder.due'>): boolean =>
  reminders.some(({ type, offset }) => type === data.type && offset === data.offset);

const isTimed = (delivery: Delivery): boolean =>
  delivery.trigger === 'reminder.due' || delivery.trigger === 'event.starting';

function isSuperseded(delivery: Delivery, event: SchoolEvent, fact: Fact): boolean {
  switch (delivery.trigger) {
    case 'event.published':
      // Published again since: that announcement has rows of its own.
      return event.published_at?.getTime() !== fact.occurred_at.getTime();
    case 'event.postponed':
    case 'event.changed':
      // A later notice of another time or place says more, and speaks of what people last knew.
      return 'change_version' in fact.data && fact.data.change_version !== event.change_version;
    default:
      return false;
  }
}
