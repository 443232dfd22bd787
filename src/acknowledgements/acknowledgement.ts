import type { Tx } from '../core/transaction.ts';
import type { SchoolEvent } from '../events/event.ts';
import type { Scope } from '../people/caller.ts';

/** How a person confirmed: by the link of an e-mail, in the app, by an answer to a text, or to staff who called. */
export const ACKNOWLEDGED_BY = ['email', 'in_app', 'sms', 'whatsapp', 'call'] as const;

/** One person has read an event or a message of the school: a student, for whom any guardian may confirm, or an adult. */
export type Acknowledgement = Scope & {
  id: string;
  /** the event or message; of a series its first date, because a series is confirmed once */
  event_id: string;
  user_id: string;
  /** the user who confirmed: the person, a guardian, or the member of staff who called */
  by: string;
  channel: (typeof ACKNOWLEDGED_BY)[number];
  at: Date;
  /** what staff noted about a call */
  note: string | null;
};

export type AcknowledgementStore = {
  /** Leaves people who have confirmed as they are. @returns the rows that were added */
  add(rows: readonly Acknowledgement[], tx: Tx): Promise<Acknowledgement[]>;
  find(scope: Scope, event_ids: readonly string[], user_ids: readonly string[]): Promise<Acknowledgement[]>;
  listOfEvent(scope: Scope, event_id: string): Promise<Acknowledgement[]>;
};

/** Whether people can confirm now that they have read it: it asks for that, was announced, and still holds. */
export const asksNow = ({ asks_acknowledgement, status, is_active, deleted_at }: SchoolEvent): boolean =>
  asks_acknowledgement &&
  is_active &&
  deleted_at === null &&
  ['published', 'in_progress', 'completed'].includes(status);
