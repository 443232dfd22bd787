import type { FieldFault, Refusal } from '../core/errors.ts';
import type { NewFact } from '../outbox/fact.ts';
import type { SchoolEvent } from './event.ts';

/** One event before (null if new) and after a change, with its facts; `applyPlan` stores them together. */
export type Change = { before: SchoolEvent | null; after: SchoolEvent; facts: NewFact[] };

/** The result of a rule: the change, or why it is refused. */
export type Changed = Change | { faults: FieldFault[] } | { refusal: Refusal };
