import { type Static, type TObject, Type } from 'typebox';
import { loadAcknowledgementStates } from '../../acknowledgements/acknowledge.ts';
import { byId } from '../../core/groups.ts';
import { nullable, oneOf, stamp } from '../../core/schema.ts';
import type { SchoolEvent } from '../../events/event.ts';
import type { EventWatch } from '../../events/ports.ts';
import { type Fact, factsOfDates } from '../../outbox/fact.ts';
import { type Caller, isSameSchool } from '../../people/caller.ts';
import { LOCALES } from '../../people/contact.ts';
import { mayOpen, type Seen } from '../../people/visibility.ts';
import { hasOwnRegistration } from '../../registrations/list.ts';
import { pathOf } from '../content/event-words.ts';
import { loadNamed } from '../delivery/evaluate.ts';
import { isOutdated, statesOfDates } from '../policy/gate.ts';
import { ALL_TRIGGERS } from '../policy/trigger.ts';
import { ruleOf } from '../policy/trigger-table.ts';
import type { NotificationStores } from '../ports.ts';
import { type InboxCounts, type InboxStore, MARKS, type StoredEntry } from './entry.ts';

/** An entry as its reader sees it. */
export const INBOX_ENTRY = {
  id: Type.String(),
  event_id: Type.String(),
  trigger: oneOf(ALL_TRIGGERS),
  title: Type.String(),
  body: Type.String(),
  locale: oneOf(LOCALES, { description: 'The language of the title and the body.' }),
  url: Type.String(),
  created_at: stamp,
  ...MARKS,
  superseded: Type.Boolean({
    description: 'True: the message is out of date, since the event was cancelled or moved or the registration ended.',
  }),
  acknowledgement: nullable(
    oneOf(['asked', 'confirmed'], {
      description: 'Whether you still have to confirm that you have read it. Null: there is nothing to confirm.',
    }),
  ),
};
type InboxEntry = Static<TObject<typeof INBOX_ENTRY>>;

export type ReadInboxDeps = NotificationStores & {
  eventWatch: Pick<EventWatch, 'loadVisibility'>;
  /** without a slash at its end */
  publicUrl: string;
};

/** Lists up to `limit` entries that the caller may see, newest first. Reads on if entries of hidden events are left out. */
export async function listInbox(
  deps: ReadInboxDeps,
  caller: Caller,
  { before, ...query }: Parameters<InboxStore['findPage']>[2],
): Promise<InboxEntry[]> {
  const shown: InboxEntry[] = [];
  for (let from = before; ; ) {
    const rows = await deps.inbox.findPage(caller, caller.user_id, { ...query, before: from });
    shown.push(...(await applyReadGate(deps, caller, rows)));
    const last = rows.at(-1);
    if (!last || rows.length < query.limit || shown.length >= query.limit) return shown.slice(0, query.limit);
    from = { at: last.settled_at, id: last.id };
  }
}

/**
 * Applies the gate to entries that are about to be read: leaves out those of events that the caller may no longer see, and
 * marks those as superseded that no longer hold. Takes three queries, one for the other dates of series, and one for each
 * event that the caller may see only if registered.
 */
export async function applyReadGate(
  deps: ReadInboxDeps,
  caller: Caller,
  rows: readonly StoredEntry[],
): Promise<InboxEntry[]> {
  if (rows.length === 0) return [];
  const registration_ids = rows.flatMap((row) => row.registration_ids);
  const [{ facts, events }, registered] = await Promise.all([
    loadNamed(deps, rows),
    registration_ids.length > 0 ? deps.registrations.findStatuses(caller, registration_ids) : [],
  ]);
  const visible = byId(await filterVisible(deps, caller, [...events.values()]));
  const asking = rows.filter(({ trigger }) => ruleOf(trigger).asksAcknowledgement).map(({ event_id }) => event_id);
  const askingEvents = [...new Set(asking)].flatMap((id) => visible.get(id) ?? []);
  const acknowledgements = await loadAcknowledgementStates(deps, caller, askingEvents, [caller.user_id]);
  const asked = new Map(askingEvents.map(({ id }, at) => [id, acknowledgements[at]]));
  const statesById = byId(registered);
  return rows.flatMap((row): InboxEntry[] => {
    const fact = facts.get(row.fact_id) ?? null;
    const dates = datesToShow(row, fact, visible);
    const [first] = dates;
    if (!first) return [];
    const registrations = row.registration_ids.flatMap((id) => statesById.get(id) ?? []);
    const { id, trigger, title, body, locale, seen_at, read_at, archived_at } = row;
    const event_id = first.event.id;
    const text = { title, body, locale, url: deps.publicUrl + pathOf(first.event, fact?.type) };
    const marks = { seen_at, read_at, archived_at };
    const states = dates.map((date) => ({ ...date, registrations }));
    const superseded = statesOfDates(row, states).every((state) => isOutdated(row, state));
    const asks = ruleOf(trigger).asksAcknowledgement && row.registration_ids.length === 0 && !superseded;
    const state = (asks && asked.get(event_id)) || 'not_asked';
    const acknowledgement = state === 'not_asked' ? null : state;
    return [{ id, event_id, trigger, ...text, created_at: row.settled_at, ...marks, superseded, acknowledgement }];
  });
}

/** The dates that an entry names and its reader may see, the row's own first. */
function datesToShow({ event_id }: StoredEntry, fact: Fact | null, visible: ReadonlyMap<string, SchoolEvent>) {
  const facts = fact ? factsOfDates(fact) : [];
  const dates = facts.length > 1 ? facts.map((own) => ({ id: own.event_id, fact: own })) : [{ id: event_id, fact }];
  return dates.flatMap(({ id, fact }) => {
    const event = visible.get(id);
    return event ? { event, fact } : [];
  });
}

/** Counts the unread entries that `listInbox` shows, superseded ones included. */
export async function countInbox(deps: ReadInboxDeps, caller: Caller): Promise<InboxCounts> {
  const counted = await deps.inbox.countUnread(caller, caller.user_id);
  const loadVisible = async (event_ids: readonly string[]) => {
    const events = event_ids.length > 0 ? await deps.eventWatch.loadVisibility(event_ids) : [];
    const existing = events.filter(({ deleted_at }) => deleted_at === null);
    return byId(await filterVisible(deps, caller, existing));
  };
  const visible = await loadVisible(counted.map(({ event_id }) => event_id));
  const others = counted.flatMap(({ event_id, fact_id }) => (visible.has(event_id) ? [] : fact_id));
  // A message about several dates is shown as long as its reader may see one of them.
  const facts = others.length > 0 ? await deps.facts.findMany(others) : [];
  const datesOf = new Map(facts.map((fact) => [fact.id, factsOfDates(fact).slice(1)]));
  const visibleDates = await loadVisible([...datesOf.values()].flat().map(({ event_id }) => event_id));
  const shown = counted.filter(
    ({ event_id, fact_id }) =>
      visible.has(event_id) || datesOf.get(fact_id)?.some((date) => visibleDates.has(date.event_id)),
  );
  const sum = (of: keyof InboxCounts) => shown.reduce((total, one) => total + one[of], 0);
  return { unread_count: sum('unread_count'), unseen_count: sum('unseen_count') };
}

/** The entries whose event the reader may see; registered people and their guardians see it in any case, as on its page. */
async function filterVisible<E extends Seen & { id: string }>(
  { registrations }: ReadInboxDeps,
  caller: Caller,
  events: readonly E[],
): Promise<E[]> {
  const isVisibleNow = async (event: E) =>
    mayOpen(caller, event) ||
    (isSameSchool(caller, event) && (await hasOwnRegistration(registrations, caller, event.id)));
  const isVisible = await Promise.all(events.map(isVisibleNow));
  return events.filter((_, at) => isVisible[at]);
}
