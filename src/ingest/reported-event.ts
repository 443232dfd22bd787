import type { FieldFault } from '../core/errors.ts';
import { canonical } from '../core/objects.ts';
import { type EventStatus, hasStarted, type SchoolEvent, STARTED } from '../events/event.ts';
import type { EventFields } from '../events/event-fields.ts';
import { draftOf, withDefaults } from '../events/rules/defaults.ts';
import { withChangeNotice } from '../events/rules/edits.ts';
import { instantsOf, scheduleOf } from '../events/rules/schedule.ts';
import { placeInSeries } from '../events/rules/series.ts';
import {
  cancellation,
  placeOf,
  postponement,
  publication,
  unpublication,
} from '../events/rules/unannounced-changes.ts';
import { faultsOf } from '../events/rules/validation.ts';
import type { NewFact } from '../outbox/fact.ts';
import { actorOf, type Caller, scopeOf } from '../people/caller.ts';
import type { School } from '../people/school.ts';
import { eventIdOf, type MarkedItem, type Snapshot } from './item.ts';

type Context = { caller: Caller; school: Pick<School, 'timezone'>; now: Date };
type Reported = { after: SchoolEvent; facts: NewFact[] };

/**
 * The event after its newest report, with the facts that follow. The facts are derived by comparison, because reports may be
 * missing or late; people are notified as if the change had been made here.
 */
export function reportedEvent(
  before: SchoolEvent | null,
  item: MarkedItem,
  context: Context,
): Reported | { faults: FieldFault[] } {
  const { event: snapshot, type, occurred_at } = item;
  const { caller, now } = context;
  const filled = withDefaults(snapshot, context.school, caller);
  const fields: EventFields = { ...filled, organizer_id: snapshot.organizer_id ?? null };
  const faults = faultsOf(fields, before);
  if (faults.length > 0) return { faults };

  const base = before ?? { ...draftOf(fields, caller, now), id: eventIdOf(caller, snapshot.id), version: 0 };
  const instants = instantsOf(fields);
  const moves = before !== null && canonical(scheduleOf(before)) !== canonical(scheduleOf(fields));
  const parent = snapshot.parent_event_id ?? null;
  const status = statusAfter(before, snapshot, moves, instants, now);
  const next: SchoolEvent = {
    ...base,
    ...fields,
    ...instants,
    status,
    ...stampsOf(base, snapshot, status, occurred_at),
    postponed_to: postponedTo(base, snapshot, status, moves ? instants.starts_at : null),
    parent_event_id: parent === null ? null : eventIdOf(caller, parent),
    ...(base.occurrence_date === null && (fields.is_recurring || parent !== null)
      ? placeInSeries(fields.start_date, fields)
      : {}),
    schedule_version: base.schedule_version + (moves ? 1 : 0),
    updated_at: now,
    version: base.version + 1,
    deleted_at: type === 'event.deleted' ? now : null,
    origin: { external_id: snapshot.id, source: caller.user_id, mark: item.mark },
  };
  return withFacts(before, next, { ...scopeOf(caller), event_id: next.id, actor: actorOf(caller), occurred_at }, now);
}

/** The new status. An event that the clock has started or completed stays so, even if the report still calls it published. */
function statusAfter(
  before: SchoolEvent | null,
  { status }: Snapshot,
  moves: boolean,
  { starts_at, ends_at }: { starts_at: Date; ends_at: Date },
  now: Date,
): EventStatus {
  if (!before || moves) return status;
  if (status === 'published' && hasStarted(before) && starts_at <= now) return before.status;
  if (status === 'in_progress' && before.status === 'completed' && ends_at <= now) return 'completed';
  return status;
}

/** The statuses of events that are published and not off. */
const PUBLISHED: readonly EventStatus[] = ['published', ...STARTED];

function stampsOf(base: SchoolEvent, snapshot: Snapshot, status: EventStatus, at: Date): Partial<SchoolEvent> {
  return {
    publish_at: status === 'scheduled' ? (snapshot.publish_at ?? null) : null,
    published_at: publishedAt(base, snapshot, status, at),
    cancelled_at: status === 'cancelled' ? (snapshot.cancelled_at ?? at) : null,
    cancellation_reason: status === 'cancelled' ? (snapshot.cancellation_reason ?? null) : null,
    postponement_reason: snapshot.postponement_reason ?? null,
  };
}

/** Each publication has a time of its own, which identifies its announcement and stays while the event is published. */
function publishedAt(base: SchoolEvent, { published_at }: Snapshot, status: EventStatus, at: Date): Date | null {
  if (status === 'draft' || status === 'scheduled') return null;
  if (!PUBLISHED.includes(status)) return base.published_at ?? published_at ?? null;
  if (PUBLISHED.includes(base.status)) return base.published_at;
  return published_at && published_at.getTime() !== base.published_at?.getTime() ? published_at : at;
}

/** The new start of a postponed event; null: not known yet. @param moved_to the start if this report moves the event */
function postponedTo(base: SchoolEvent, snapshot: Snapshot, status: EventStatus, moved_to: Date | null): Date | null {
  if (status !== 'postponed' || snapshot.postponed_to !== undefined) return snapshot.postponed_to ?? null;
  const isUnknown = base.status === 'postponed' && base.postponed_to === null;
  // As after an edit here, another time on the old day does not make the date known.
  if (isUnknown && snapshot.start_date === base.start_date) return null;
  return moved_to ?? (base.status === 'postponed' ? base.postponed_to : null);
}

type Head = Pick<NewFact, 'tenant_id' | 'school_id' | 'event_id' | 'actor' | 'occurred_at'>;

function withFacts(before: SchoolEvent | null, next: SchoolEvent, head: Head, now: Date): Reported {
  const { published_at } = next;
  // The first report of an event may come long after its publication.
  const occurred_at = published_at && published_at < head.occurred_at ? published_at : head.occurred_at;
  const facts: NewFact[] = before ? [] : [{ ...head, occurred_at, type: 'event.created', data: {} }];
  if (next.deleted_at !== null) return { after: next, facts: [...facts, { ...head, type: 'event.deleted', data: {} }] };
  const was = before && before.deleted_at === null ? before : null;
  if (was?.status === next.status) return edits(was, next, head, now);
  const moved = moveFacts(was, next, head, now);
  return { after: moved.after, facts: [...facts, ...moved.facts] };
}

/** The facts for a change of status, including skipped statuses. */
function moveFacts(was: SchoolEvent | null, next: SchoolEvent, head: Head, now: Date): Reported {
  const announced: SchoolEvent = { ...next, sequence: next.sequence + 1 };
  const { schedule_version } = announced;
  const wasPublished = was !== null && PUBLISHED.includes(was.status);
  const published: NewFact = {
    ...head,
    // The time of publication identifies the announcement.
    occurred_at: announced.published_at ?? head.occurred_at,
    type: 'event.published',
    data: publication(was, announced),
  };
  const started: NewFact = { ...head, type: 'event.started', data: { schedule_version } };
  const completed: NewFact = { ...head, type: 'event.completed', data: {} };
  switch (next.status) {
    case 'published':
      return wasPublished ? edits(was, next, head, now) : { after: announced, facts: [published] };
    case 'in_progress':
      return { after: announced, facts: wasPublished ? [started] : [published, started] };
    case 'completed':
      return { after: next, facts: was?.status === 'published' ? [started, completed] : [completed] };
    case 'cancelled': {
      const data = cancellation(was, announced, now);
      return { after: announced, facts: [{ ...head, type: 'event.cancelled', data }] };
    }
    case 'postponed': {
      const after = { ...announced, change_version: announced.change_version + 1, untold_change: null };
      return { after, facts: [{ ...head, type: 'event.postponed', data: postponement(was, after, now) }] };
    }
    case 'scheduled': {
      if (was?.status === 'postponed') return returned(next, 'scheduled', head);
      const data = { publish_at: next.publish_at?.toISOString() ?? null };
      return { after: next, facts: [{ ...head, type: 'event.scheduled', data }] };
    }
    case 'draft': {
      if (was?.status === 'postponed') return returned(next, 'draft', head);
      const data = unpublication(next, now);
      return { after: next, facts: wasPublished ? [{ ...head, type: 'event.unpublished', data }] : [] };
    }
  }
}

const returned = (after: SchoolEvent, to: 'draft' | 'scheduled', head: Head): Reported => ({
  after,
  facts: [{ ...head, type: 'event.returned', data: { to } }],
});

const KEPT: readonly (keyof SchoolEvent)[] = ['updated_at', 'version', 'origin', 'sequence', 'schedule_version'];

/** The facts for an edit within one status: a new time or place of a published event is announced, as after an edit here. */
function edits(was: SchoolEvent, next: SchoolEvent, head: Head, now: Date): Reported {
  const fields = (Object.keys(next) as (keyof SchoolEvent)[]).filter(
    (name) => !KEPT.includes(name) && canonical(was[name]) !== canonical(next[name]),
  );
  if (fields.length === 0) return { after: next, facts: [] };
  const edited: NewFact = { ...head, type: 'event.edited', data: { fields } };
  const isAnnounced = next.schedule_version !== was.schedule_version || placeOf(was) !== placeOf(next);
  if (next.status !== 'published' || !isAnnounced) return { after: next, facts: [edited] };
  return withChangeNotice(was, next, { fields, head, now });
}
