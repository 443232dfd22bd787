import type { FieldFault, Refusal } from '../core/errors.ts';
import type { NewFact } from '../outbox/fact.ts';
import type { SchoolEvent } from './event.ts';

/** One event before and after, and the facts that say so; storing them together is `applyPlan`'s. */
export type Change = { before: SchoolEvent | null; after: SchoolEvent; facts: NewFact[] };

/** What a rule answers: the change, or why there is none. */
export type Changed = Change | { faults: FieldFault[] } | { refusal: Refusal };
