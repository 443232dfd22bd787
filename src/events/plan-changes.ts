import { invalid, mustBeValid, notFound, type Refusal, Refused } from '../core/errors.ts';
import { pick } from '../core/objects.ts';
import type { Tx } from '../core/transaction.ts';
import { actorOf, type Caller } from '../people/caller.ts';
import { maySee } from '../people/visibility.ts';
import { type Change, type Changed, unchanged } from './apply-plan.ts';
import { furtherOccurrences, withOccurrences } from './create.ts';
import type { SchoolEvent } from './event.ts';
import { type RecurrenceRule, RULE_FIELDS } from './event-fields.ts';
import type { EventDeps, EventStore } from './ports.ts';
import { findSeriesSizeFaults, planNewRule, type Removal, withMovedEnd } from './reshape-series.ts';
import { type CopyInput, copyOf } from './rules/copy.ts';
import { edited, patchFor } from './rules/edits.ts';
import { type Action, permissionRefusal, refusalOf } from './rules/lifecycle.ts';
import { changedFields, type EventPatch, merged, overridden } from './rules/merge.ts';
import { scheduleOf } from './rules/schedule.ts';
import { inOneMessage, type SeriesScope, seriesOf, siblingsInScope } from './rules/series.ts';
import { type Move, moved, moveFor } from './rules/transitions.ts';
import { faultsOf, senseFaults } from './rules/validation.ts';

/** The event an operation addresses, with the scope within its series and the version that the caller has read. */
type Address = { id: string; scope?: SeriesScope; ifMatch?: number };
type Addressed = Address & { action: Action };

type MoveInput = Address & { move: Move };

/**
 * Plans a move (publish, unpublish, cancel, postpone, schedule, return, start, complete, delete) of an event, with a scope
 * also of others of its series; occurrences whose state, permissions or rules do not allow it are left out. Reads and checks only.
 * Repeating a move is `invalid_transition`; for safe retries use an Idempotency-Key.
 * @throws Refused `not_found`, `forbidden`, `stale`, `invalid_transition`, `validation_failed`
 */
export async function planMove(deps: EventDeps, caller: Caller, input: MoveInput, tx?: Tx): Promise<Change[]> {
  const { move } = input;
  const address = { ...input, action: move.action };
  const event = await loadAddressedEvent(deps, caller, address, tx);
  const siblings = await loadSiblings(deps, caller, event, address, tx);
  const now = deps.clock.now();
  const actor = actorOf(caller);
  const change = changeOrThrow(moved(event, move, actor, now));
  const fields = changedFields(event, { ...event, ...scheduleOf(change.after) });
  const isAlone = event.is_recurring && (input.scope ?? 'this') === 'this';
  const overrides = isAlone ? overridden(event, fields) : event.overrides;
  const changes = [{ ...change, after: { ...change.after, overrides } }];
  for (const { sibling, refusal } of siblings) {
    const made = refusal ? { refusal } : moved(sibling, moveFor(sibling, event, move), actor, now);
    changes.push('after' in made ? made : leftOut(sibling, made));
  }
  return inOneMessage(input.scope === 'all' ? withMovedEnd(changes, event, actor, now) : changes, now);
}

/**
 * Loads the addressed event and checks that the caller may take the action now.
 * @throws Refused `not_found` (also for an event that the caller may not see), `forbidden`, `stale`, `invalid_transition`,
 *   `event_not_editable`, in this order
 */
async function loadAddressedEvent(
  deps: { events: EventStore },
  caller: Caller,
  { id, ifMatch, action }: Addressed,
  tx?: Tx,
): Promise<SchoolEvent> {
  const event = await deps.events.find(caller, id, tx);
  if (!event || !maySee(caller, event)) throw notFound();
  const forbidden = permissionRefusal(event, action, caller);
  if (forbidden) throw new Refused(forbidden);
  const refusal = refusalOf(event, action, caller);
  if (ifMatch !== undefined && ifMatch !== event.version) throw new Refused({ code: 'stale' });
  if (refusal) throw new Refused(refusal);
  return event;
}

/** Loads the other occurrences in the scope that the caller may see, in order, each with the reason against the action. */
async function loadSiblings(
  deps: { events: EventStore },
  caller: Caller,
  event: SchoolEvent,
  { scope = 'this', action }: Addressed,
  tx?: Tx,
): Promise<{ sibling: SchoolEvent; refusal: Refusal | null }[]> {
  const parent_id = seriesOf(event);
  if (scope === 'this' || parent_id === null) return [];
  const series = await deps.events.findSeries(caller, parent_id, tx);
  return siblingsInScope(event, series, scope)
    .filter((other) => maySee(caller, other))
    .map((sibling) => ({ sibling, refusal: refusalOf(sibling, action, caller) }));
}

/** @throws Refused if a rule refuses the change */
function changeOrThrow(result: Changed): Change {
  if ('faults' in result) throw invalid(result.faults);
  if ('refusal' in result) throw new Refused(result.refusal);
  return result;
}

type EditInput = Address & {
  patch: EventPatch;
  notify?: boolean | null;
  /** for dates that a new recurrence rule does not have; default: keep those with registrations */
  registered_dates?: Removal['registered'];
};

/**
 * Plans an edit: merges the patch and checks all rules of creation. With a scope it also edits other occurrences, except the
 * fields that they override. The recurrence rule always belongs to the whole series: a new one adds and removes dates. An
 * event that becomes recurring gets its occurrences, as drafts. Reads and checks only.
 * @throws Refused `not_found`, `forbidden`, `stale`, `event_not_editable`, `validation_failed`, `capacity_below_occupied`
 */
export async function planEdit(deps: EventDeps, caller: Caller, input: EditInput, tx?: Tx): Promise<Change[]> {
  const address = { ...input, action: 'edit' as const };
  const event = await loadAddressedEvent(deps, caller, address, tx);
  const now = deps.clock.now();
  const actor = actorOf(caller);
  const { notify, scope = 'this' } = input;
  const { own: patch, rule } = event.is_recurring ? split(event, input.patch) : { own: input.patch, rule: null };
  const change = changeOrThrow(edited(event, patch, actor, now, notify));
  const { after } = change;
  if (!event.is_recurring && after.is_recurring) return [change, ...furtherOccurrences(after, caller, now)];
  const fields = changedFields(event, after);
  const overrides =
    scope === 'this' ? overridden(event, fields) : event.overrides.filter((name) => !fields.includes(name));
  const changes = [event.is_recurring && after !== event ? { ...change, after: { ...after, overrides } } : change];
  // Other dates may differ from the patch even if this one has its values already.
  const siblings = Object.keys(patch).length === 0 ? [] : await loadSiblings(deps, caller, event, address, tx);
  for (const { sibling, refusal } of siblings) {
    if (refusal) {
      changes.push(leftOut(sibling, { refusal }));
      continue;
    }
    const { patch: fitted, left_out } = patchFor(sibling, { before: event, after }, patch);
    const made = edited(sibling, fitted, actor, now, notify);
    changes.push('after' in made ? withOverrides(made, left_out) : leftOut(sibling, made, Object.keys(fitted)));
  }
  const asked = { changes, registered: input.registered_dates, notify: notify ?? null };
  const movesEnd = !rule && scope === 'all' && input.patch.recurrence_end_date === undefined;
  const ended = movesEnd ? withMovedEnd(changes, event, actor, now) : changes;
  const all = rule ? await planNewRule(deps, caller, event, { ...asked, rule }, tx) : ended;
  mustBeValid(await findSeriesSizeFaults(deps, all, tx));
  return inOneMessage(all, now);
}

/** The part of a patch that changes the rule of a series (null if none does), and the rest. */
function split(event: SchoolEvent, patch: EventPatch): { own: EventPatch; rule: RecurrenceRule | null } {
  const isRule = ([name]: [string, unknown]) => (RULE_FIELDS as readonly string[]).includes(name);
  const rule: EventPatch = Object.fromEntries(Object.entries(patch).filter(isRule));
  const own: EventPatch = Object.fromEntries(Object.entries(patch).filter((entry) => !isRule(entry)));
  const after = merged(event, rule);
  if (changedFields(event, after).length === 0) return { own, rule: null };
  return { own, rule: pick(after, RULE_FIELDS) };
}

const withOverrides = (change: Change, fields: readonly string[]): Change =>
  fields.length === 0
    ? change
    : {
        ...change,
        left_out: { fields: [...fields], code: 'overridden', detail: 'These fields were changed in this date alone.' },
      };

/** @param fields none: the whole occurrence is left out */
function leftOut(sibling: SchoolEvent, why: Exclude<Changed, Change>, fields: string[] = []): Change {
  if ('refusal' in why) return unchanged(sibling, { fields, code: why.refusal.code, detail: why.refusal.detail ?? '' });
  const detail = why.faults.map(({ pointer, message }) => `${pointer} ${message}`).join('; ');
  return unchanged(sibling, { fields, code: 'validation_failed', detail });
}

/**
 * Plans a duplicate: a draft copy of an event in any status, with the occurrences of its recurrence rule. Reads and checks
 * only; the event itself does not change.
 * @throws Refused `not_found`, `forbidden`, `stale`, `validation_failed`
 */
export async function planDuplicate(
  deps: EventDeps,
  caller: Caller,
  { input, ...address }: Address & { input: CopyInput },
  tx?: Tx,
): Promise<Change[]> {
  const event = await loadAddressedEvent(deps, caller, { ...address, action: 'duplicate' }, tx);
  const copy = { ...copyOf(event, input, caller, deps.clock.now()), duplicated_from_id: event.id };
  mustBeValid([...faultsOf(copy), ...senseFaults(copy, event)]);
  return withOccurrences(copy, caller, { duplicated_from_id: event.id });
}
