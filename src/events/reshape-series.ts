import { type FieldFault, invalidField, mustBeValid, Refused } from '../core/errors.ts';
import { pick } from '../core/objects.ts';
import type { Tx } from '../core/transaction.ts';
import { addDays, daysBetween, LAST_DATE } from '../core/zoned-time.ts';
import { type Actor, actorOf, type Caller, scopeOf } from '../people/caller.ts';
import type { Locale } from '../people/contact.ts';
import { type Change, type LeftOut, unchanged } from './apply-plan.ts';
import { addedOccurrences } from './create.ts';
import type { SchoolEvent } from './event.ts';
import { type RecurrenceRule, RULE_FIELDS } from './event-fields.ts';
import type { EventChange, EventDeps, EventStore } from './ports.ts';
import { isPossible, permissionRefusal } from './rules/lifecycle.ts';
import { dateOf, occurrenceDates, seriesIdOf, seriesOf } from './rules/series.ts';
import { moved } from './rules/transitions.ts';
import { bytesOfAll, recurrenceFaults, seriesSizeFaults } from './rules/validation.ts';

/** The reason that people read if their date is no longer part of the series. */
const REASONS: Record<Locale, string> = {
  en: 'This date is no longer part of the series.',
  cs: 'Tento termín už do série nepatří.',
};

/** A reason in the language of its reader, if they name one and it is ours; staff write theirs in one language. */
export const reasonIn = (locale: Locale | null, reason: string): string =>
  locale && Object.values(REASONS).includes(reason) ? REASONS[locale] : reason;

/** The treatment of dates that the new rule does not have. */
export type Removal = {
  /** whether dates with registrations stay or are cancelled with notice */
  registered: 'keep' | 'cancel';
  reason: string;
  notify: boolean | null;
};

type Reshaping = Pick<Removal, 'notify'> & {
  changes: readonly Change[];
  rule: RecurrenceRule;
  registered: Removal['registered'] | undefined;
};

/**
 * Adds the new rule of a series to the changes of an edit: every date that can be edited takes the rule over, dates are added
 * as drafts, and surplus dates are deleted, cancelled or kept. Reads and checks only.
 * @param event the occurrence that is edited; it can't be removed by its own edit
 * @throws Refused `forbidden` if the caller may not edit one of the dates that can be edited, `validation_failed`
 */
export async function planNewRule(
  deps: EventDeps,
  caller: Caller,
  event: SchoolEvent,
  { changes, rule, registered = 'keep', notify }: Reshaping,
  tx?: Tx,
): Promise<Change[]> {
  const now = deps.clock.now();
  const actor = actorOf(caller);
  const series = await deps.events.findSeries(caller, seriesIdOf(event), tx);
  const editable = series.filter(({ status }) => isPossible(status, 'edit'));
  const forbidden = editable.map((one) => permissionRefusal(one, 'edit', caller)).find((refusal) => refusal !== null);
  if (forbidden) throw new Refused(forbidden);
  if (rule.recurrence_pattern === 'none' || !rule.is_recurring)
    throw invalidField('/recurrence_pattern', 'can’t be none in a series: give it an earlier end', 'stays_series');
  const edits = new Map(changes.map((change) => [change.after.id, change]));
  const edited = series.map((one) => edits.get(one.id) ?? unchanged(one));
  const { recurrence_end_date: end } = rule;
  const ofRule = { ...rule, recurrence_end_date: end && addDays(end, daysAhead(edited)) };
  mustBeValid(recurrenceFaults({ ...event, ...ofRule, start_date: firstDateOf(series) }));
  const { locale } = await deps.schools.find(caller);
  const removal = { registered, reason: REASONS[locale], notify };
  const isSamePattern = event.recurrence_pattern === rule.recurrence_pattern;
  const { dates, removed } = reshaped(series, ofRule, removal, { isSamePattern, actor, now });
  const removals = new Map(removed.map((change) => [change.after.id, change]));
  const own = removals.get(event.id);
  if (own && !own.left_out)
    throw invalidField(
      '/recurrence_count',
      'must keep the date that you edit: edit an earlier date',
      'keeps_edited_date',
    );
  const all = edited.map((edit) => {
    const removal = removals.get(edit.after.id);
    if (removal && !removal.left_out) return removal;
    const ruled = isPossible(edit.after.status, 'edit') ? withRule(edit, rule, actor, now) : edit;
    return removal?.left_out ? { ...ruled, left_out: removal.left_out } : ruled;
  });
  const model = { ...modelOf(all, event), ...rule };
  const added = addedOccurrences(model, dates, caller, now);
  const usable = added.filter(
    ({ after }) =>
      // A draft may lie in the past, because schools also write down what took place.
      (event.status === 'draft' || after.starts_at > now) &&
      // A moved series may be behind its rule.
      after.start_date <= (end ?? LAST_DATE),
  );
  const isAddressed = ({ after }: Change) => after.id === event.id;
  return [...all.filter(isAddressed), ...all.filter((one) => !isAddressed(one)), ...usable];
}

/** Moves the end of a series by as many days as all of its dates. @param changes the edits, first that of `event` */
export function withMovedEnd(changes: readonly Change[], event: SchoolEvent, actor: Actor, now: Date): Change[] {
  const { recurrence_end_date: end } = event;
  const days = daysBetween(event.start_date, changes[0]?.after.start_date ?? event.start_date);
  if (end === null || days === 0) return [...changes];
  const rule = { ...pick(event, RULE_FIELDS), recurrence_end_date: addDays(end, days) };
  const isLeftOut = ({ left_out }: Change) => left_out?.fields.length === 0;
  return changes.map((change) => (isLeftOut(change) ? change : withRule(change, rule, actor, now)));
}

/** The first date of a series, from which its rule counts. */
const firstDateOf = (series: readonly SchoolEvent[]): string => series.map(dateOf).sort()[0] ?? '';

/** By how many days dates lie before those of the rule, because the series was moved; negative: behind them. */
function daysAhead(changes: readonly Change[]): number {
  const moved = changes.filter(({ after }) => !after.overrides.includes('start_date'));
  return moved.length === 0 ? 0 : Math.max(...moved.map(({ after }) => daysBetween(after.start_date, dateOf(after))));
}

/**
 * A series under another rule (docs/decisions.md, "Another rule for a series"): the dates to add, and the changes of
 * occurrences whose date the rule no longer has. Drafts are deleted, other occurrences are cancelled. Occurrences that have
 * begun stay, and a rule with the same pattern only adds dates after the last, so that deleted dates do not come back.
 */
function reshaped(
  series: readonly SchoolEvent[],
  rule: RecurrenceRule,
  removal: Removal,
  { isSamePattern, actor, now }: { isSamePattern: boolean; actor: Actor; now: Date },
): { dates: string[]; removed: Change[] } {
  const wanted = occurrenceDates({ ...rule, start_date: firstDateOf(series) });
  const known = series.map(dateOf);
  // Dates that can't be edited any more keep the pattern that they had.
  const ofPattern = series.filter((one) => isSamePattern && one.recurrence_pattern === rule.recurrence_pattern);
  const last = ofPattern.map(dateOf).sort().at(-1) ?? '';
  const dates = wanted.filter((date) => date > last && !known.includes(date));
  const surplus = series.filter((one) => !wanted.includes(dateOf(one)) && one.status !== 'cancelled');
  return { dates, removed: surplus.map((one) => removedFrom(one, removal, actor, now)) };
}

function removedFrom(event: SchoolEvent, { registered, reason, notify }: Removal, actor: Actor, now: Date): Change {
  const stays = (code: LeftOut['code'], detail: string) => unchanged(event, { fields: [], code, detail });
  const isDraft = event.status === 'draft';
  if (!isPossible(event.status, 'cancel') || (!isDraft && event.starts_at <= now))
    return stays('begun', 'This date has begun or is over, so it stays.');
  const people = event.current_attendees + event.waitlisted;
  if (people > 0 && registered === 'keep')
    return stays('has_registrations', `People registered: ${people}. Send registered_dates=cancel to cancel the date.`);
  const isUnseen = isDraft && people === 0;
  const input = { reason, notify: notify ?? undefined };
  return moved(event, isUnseen ? { action: 'delete' } : { action: 'cancel', input }, actor, now) as Change;
}

function withRule(change: Change, rule: RecurrenceRule, actor: Actor, now: Date): Change {
  const { before, after, facts } = change;
  const fields = RULE_FIELDS.filter((name) => after[name] !== rule[name]);
  if (fields.length === 0) return change;
  const version = before === after ? after.version + 1 : after.version;
  const head = { ...scopeOf(after), event_id: after.id, occurred_at: now, actor };
  return {
    ...change,
    after: { ...after, ...rule, updated_at: now, version },
    facts: [...facts, { ...head, type: 'event.edited', data: { fields } }],
  };
}

/** The occurrence that new dates copy: the last one that was never edited alone. */
function modelOf(changes: readonly Change[], event: SchoolEvent): SchoolEvent {
  const remaining = changes.map(({ after }) => after).filter(({ deleted_at }) => deleted_at === null);
  const usual = remaining.filter(({ overrides, status }) => overrides.length === 0 && status !== 'cancelled');
  return usual.sort((a, b) => (dateOf(a) < dateOf(b) ? 1 : -1))[0] ?? event;
}

/**
 * The faults of writes that make a series too large, or none. Writes that make it no larger have none. Does not see what
 * other transactions write meanwhile.
 * @param changes of occurrences of one series; the faults name the fields of the first
 */
export async function findSeriesSizeFaults(
  { events }: { events: Pick<EventStore, 'measureSeries'> },
  changes: readonly EventChange[],
  tx?: Tx,
): Promise<FieldFault[]> {
  const event = changes[0]?.after;
  const parent_id = event ? seriesOf(event) : null;
  if (!event || parent_id === null) return [];
  const stored = changes.flatMap(({ before }) => (before && isOf(parent_id, before) ? before : []));
  const written = changes.flatMap(({ after }) => (isOf(parent_id, after) ? after : []));
  const growth = bytesOfAll(written) - bytesOfAll(stored);
  if (growth <= 0) return [];
  const { count, bytes } = await events.measureSeries(event, parent_id, tx);
  return seriesSizeFaults(event, bytes + growth, count + written.length - stored.length);
}

const isOf = (parent_id: string, event: SchoolEvent): boolean =>
  event.deleted_at === null && (event.id === parent_id || event.parent_event_id === parent_id);
