import { invalid } from '../core/errors.ts';
import type { Tx } from '../core/transaction.ts';
import { actorOf, type Caller } from '../people/caller.ts';
import { type Address, loadAddressedEvent, loadSiblings } from './address.ts';
import { type Change, type Changed, unchanged } from './change.ts';
import { changeOrThrow, leftOut } from './change-status.ts';
import { furtherOccurrences } from './create.ts';
import type { SchoolEvent } from './event.ts';
import { type RecurrenceRule, RULE_FIELDS } from './event-fields.ts';
import type { EventDeps } from './ports.ts';
import { edited, patchFor } from './rules/edits.ts';
import { changedFields, type EventPatch, merged, overridden } from './rules/merge.ts';
import { inOneMessage } from './rules/series/lead-occurrence.ts';
import type { Removal } from './rules/series/reshape.ts';
import { withNewRule } from './series/reshape-series.ts';
import { findSeriesSizeFaults } from './series/series-size.ts';

type EditInput = Address & {
  patch: EventPatch;
  notify?: boolean | null;
  /** for dates that a new recurrence rule does not have; default: keep those with registrations */
  registered_dates?: Removal['registered'] | undefined;
};

/**
 * Plans an edit: merges the patch and checks all rules of creation. With a scope it also edits other occurrences, except the
 * fields that they override. The recurrence rule always belongs to the whole series: a new one adds and removes dates. An
 * event that becomes recurring gets its occurrences, as drafts. Reads and checks only.
 * @throws Refused `not_found`, `forbidden`, `stale`, `event_not_editable`, `validation_failed`, `capacity_below_occupied`
 */
export async function planEdit(deps: EventDeps, caller: Caller, input: EditInput, tx?: Tx): Promise<Change[]> {
  const event = await loadAddressedEvent(deps, caller, input, 'edit', tx);
  const now = deps.clock.now();
  const actor = actorOf(caller);
  const { notify, scope = 'this' } = input;
  const { own: patch, rule } = event.is_recurring ? split(event, input.patch) : { own: input.patch, rule: null };
  const change = changeOrThrow(edited(event, patch, actor, now, notify));
  const { after } = change;
  if (!event.is_recurring && after.is_recurring) return [change, ...furtherOccurrences(after, caller, now)];
  const fields = changedFields(event, after, patch);
  const overrides =
    scope === 'this' ? overridden(event, fields) : event.overrides.filter((name) => !fields.includes(name));
  const changes = [event.is_recurring && after !== event ? { ...change, after: { ...after, overrides } } : change];
  const siblings = after === event ? [] : await loadSiblings(deps, caller, event, input, 'edit', tx);
  for (const { sibling } of siblings.filter(({ refusal }) => !refusal)) {
    const fitted = patchFor(sibling, { before: event, after }, patch);
    const made = edited(sibling, fitted.patch, actor, now, notify);
    changes.push('after' in made ? withOverrides(made, fitted.left_out) : refused(sibling, made, fitted.patch));
  }
  changes.push(...leftOut(siblings));
  const asked = { registered: input.registered_dates, notify: notify ?? null };
  const all = rule ? await withNewRule(deps, caller, event, changes, { ...asked, rule }, tx) : changes;
  const tooLarge = await findSeriesSizeFaults(deps, all, tx);
  if (tooLarge.length > 0) throw invalid(tooLarge);
  return inOneMessage(all, now);
}

/** The part of a patch that changes the rule of a series (null if none does), and the rest. */
function split(event: SchoolEvent, patch: EventPatch): { own: EventPatch; rule: RecurrenceRule | null } {
  const isRule = ([name]: [string, unknown]) => (RULE_FIELDS as readonly string[]).includes(name);
  const rule: EventPatch = Object.fromEntries(Object.entries(patch).filter(isRule));
  const own: EventPatch = Object.fromEntries(Object.entries(patch).filter((entry) => !isRule(entry)));
  const after = merged(event, rule);
  if (changedFields(event, after, rule).length === 0) return { own, rule: null };
  return { own, rule: Object.fromEntries(RULE_FIELDS.map((name) => [name, after[name]])) as RecurrenceRule };
}

const withOverrides = (change: Change, fields: readonly string[]): Change =>
  fields.length === 0
    ? change
    : {
        ...change,
        left_out: { fields: [...fields], code: 'overridden', detail: 'These fields were changed in this date alone.' },
      };

function refused(sibling: SchoolEvent, why: Exclude<Changed, Change>, patch: EventPatch): Change {
  const fields = Object.keys(patch);
  if ('refusal' in why) return unchanged(sibling, { fields, code: why.refusal.code, detail: why.refusal.detail ?? '' });
  const detail = why.faults.map(({ pointer, message }) => `${pointer} ${message}`).join('; ');
  return unchanged(sibling, { fields, code: 'validation_failed', detail });
}
