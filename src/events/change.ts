import type { ErrorCode, FieldFault, Refusal } from '../core/errors.ts';
import type { NewFact } from '../outbox/fact.ts';
import type { SchoolEvent } from './event.ts';

/** One event before (null if new) and after a change, with its facts; `applyPlan` stores them together. */
export type Change = { before: SchoolEvent | null; after: SchoolEvent; facts: NewFact[]; left_out?: LeftOut };

/** What an operation on a series did not change in one occurrence. Empty `fields`: nothing was changed. */
export type LeftOut = {
  fields: string[];
  code: ErrorCode | 'overridden' | 'has_registrations' | 'begun';
  detail: string;
};

/** An occurrence that an operation leaves as it is. */
export const unchanged = (event: SchoolEvent, left_out?: LeftOut): Change => ({
  before: event,
  after: event,
  facts: [],
  ...(left_out ? { left_out } : {}),
});

/** The result of a rule: the change, or why it is refused. */
export type Changed = Change | { faults: FieldFault[] } | { refusal: Refusal };
