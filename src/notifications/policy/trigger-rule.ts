import type { EventStatus, SchoolEvent } from '../../events/event.ts';
import type { Fact, FactData, FactType } from '../../outbox/fact.ts';
import type { Channel } from '../../people/channels.ts';
import type { RegistrationState, RegistrationStatus } from '../../registrations/registration.ts';

/**
 * One reason to notify people (docs/decisions.md, "Notification"): who is notified of which fact, on which channels,
 * and until when the message is worth sending. Each trigger also has a folder of templates.
 */
export type TriggerRule<T extends FactType = FactType> = {
  /** the fact that causes the messages */
  fact: T;
  /** whether a fact of this type causes them; missing: each does */
  applies?(data: FactData[T]): boolean;
  /**
   * audience: matching contacts who may see it · registered: pending, confirmed, waitlisted · filtered: registrations that the
   * fact selects · unacknowledged: people of the audience who have not confirmed having read it
   */
  recipients: 'audience' | 'registered' | 'filtered' | 'confirmed' | 'registrant' | 'organizer' | 'unacknowledged';
  /** default channels; a reminder has its own type instead, and a message of staff those that they chose */
  channels: readonly Channel[];
  /** channels that can't be opted out of */
  mandatory: readonly Channel[];
  /** whether a school may turn the message off on all channels, also on mandatory ones */
  maySwitchOff: boolean;
  /** sent before bulk */
  urgent: boolean;
  /** the event statuses in which the message is still true */
  fits: readonly EventStatus[];
  /** the statuses of the registration in which it is still true, if it concerns one */
  holds: readonly RegistrationStatus[];
  /** when the message becomes useless (docs/decisions.md, "too late"); null: never, it is retried for a day */
  expiresAt(event: SchoolEvent): Date | null;
  /** the part of the delivery key that distinguishes messages of the trigger (`deliveryIdOf`) */
  version(fact: Fact<T>): string;
  /** whether a message with another schedule version than the event is stale */
  isTimed?: boolean;
  /** whether a later fact covers this one, so that the message is not sent any more */
  isSuperseded?(fact: Fact<T>, event: SchoolEvent, registrations: readonly RegistrationState[]): boolean;
  /** whether quiet hours defer the message: never (default), or at night, some only if the event is a day ahead or all-day */
  deferral?: 'at night' | 'at night, a day ahead' | 'at night, all-day';
  /** whether days without school defer it too */
  waitsForSchoolDays?: boolean;
  /** the calendar object of its e-mail: `date_known` is false after a postponement without a new date */
  calendar?(date_known: boolean): 'REQUEST' | 'CANCEL' | null;
  /** whether its fact has a reason, which it states */
  givesReason?: true;
  /** whether it states what the event costs */
  showsPrice?: true;
  /** whether it is sent at a planned time after its fact, so that the wait is no delay */
  isPlanned?: true;
  /** whether it asks its readers to confirm that they have read it, if the event does */
  asksAcknowledgement?: true;
  /** whether a second SMS is better than none if the outcome of the first is unknown */
  repeatsSms?: boolean;
};
