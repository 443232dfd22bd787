import { mapBy } from '../../core/groups.ts';
import type { SchoolEvent } from '../../events/event.ts';
import { OPEN_STATUSES } from '../../notifications/delivery.ts';
import type { InboxCursor, OldRecords } from '../../privacy/retention.ts';
import type { Database } from '../database.ts';
import { deliveryCounts } from '../notifications/delivery-counts.ts';
import { ENTRY_FIELDS, IN_INBOX } from '../notifications/delivery-row.ts';
import { bounds, exists, IS_STRING } from '../rows.ts';

/** Rows removed at a time. */
const BATCH = 1_000;

/** Removes records past their retention time. Only the removal of bounces, which are few, reads a whole collection. */
export function oldRecords(database: Database): OldRecords {
  const events = database.collection('events');
  const messages = database.collection('messages');
  const deliveries = database.collection('deliveries');
  const facts = database.collection('facts');
  const registrations = database.collection('registrations');
  const counts = deliveryCounts(database);

  /** Anonymises the registrations of a past event; rows stay so that counts hold. */
  async function anonymiseRegistrations(event_id: string): Promise<void> {
    const alias = { $concat: ['past-', '$_id'] };
    const emptied = { contact: null, notes: null, answers: [], cancel_reason: null };
    await registrations.updateMany({ event_id }, [{ $set: { user_id: alias, registered_by: alias, ...emptied } }]);
  }

  return {
    async findEvents(after, limit) {
      const beyond = { ...bounds('_id', after) };
      const inOrder = { sort: { _id: 1 }, limit } as const;
      const [ofEvents, ofMessages] = await Promise.all([
        events.find(beyond, { projection: TIMES, ...inOrder }).toArray(),
        messages.find(beyond, { projection: { send_at: 1 }, ...inOrder }).toArray(),
      ]);
      const parents = ofEvents.flatMap(({ parent_event_id }) => parent_event_id ?? []);
      const children = { parent_event_id: { $in: ofEvents.map(firstOf), ...IS_STRING } };
      const others = await events.find({ $or: [{ _id: { $in: parents } }, children] }, { projection: TIMES }).toArray();
      const dates = mapBy([...ofEvents, ...others], (date) => [firstOf(date)]);
      const found = [...ofEvents, ...ofMessages].sort((a, b) => (a._id < b._id ? -1 : 1)).slice(0, limit);
      const overAt = (event: Timed) => lastOf((dates.get(firstOf(event)) ?? [event]).map(endOf));
      const page = found.map((row) => ({ id: row._id, over_at: 'send_at' in row ? row.send_at : overAt(row) }));
      return { events: page, next: found.length < limit ? null : (found.at(-1)?._id ?? null) };
    },

    async removeDeliveries(event_id, before) {
      if (!(await exists(deliveries, { event_id }))) return 0;
      const kept = { event_id, $or: [{ status: { $in: OPEN_STATUSES } }, { created_at: { $gte: before } }] };
      if (await exists(deliveries, kept)) return 0;
      let removed = 0;
      for (;;) {
        const more = await counts.remove(event_id, BATCH);
        if (more === 0) return removed;
        removed += more;
      }
    },

    async removeHistory(event_ids, before) {
      const old = { event_id: { $in: event_ids }, occurred_at: { $lt: before }, relay: { $exists: false } };
      const some = await facts.find(old, { projection: { event_id: 1 }, limit: BATCH }).toArray();
      // Facts are removed last, because they show that the event has history to remove.
      for (const event_id of new Set(some.map((fact) => fact.event_id))) {
        await anonymiseRegistrations(event_id);
        await database.collection('acknowledgements').deleteMany({ event_id });
        await database.collection('reminders').deleteMany({ event_id });
        await database.collection('ingested').deleteMany({ event_id });
      }
      const { deletedCount } = await facts.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } });
      // A message is found by its row, which is therefore removed after its last record.
      const of = { event_id: { $in: event_ids } };
      const kept = [...(await facts.distinct('event_id', of)), ...(await deliveries.distinct('event_id', of))];
      await messages.deleteMany({ _id: { $in: event_ids.filter((id) => !kept.includes(id)) } });
      return deletedCount;
    },

    async removeBounces(before) {
      const healed = { kind: 'bounced', until: { $lt: before }, complained: { $ne: true } };
      return (await database.collection('suppressions').deleteMany(healed)).deletedCount;
    },

    async removeInboxEntries(after, limit, before) {
      const projection = { _id: 0, tenant_id: 1, school_id: 1, user_id: 1 } as const;
      let last = after;
      let removed = 0;
      for (let i = 0; i < limit; i++) {
        const filter = { ...(last ? behind(last) : {}), ...IN_INBOX };
        const next = await deliveries.findOne(filter, { projection, sort: IN_ORDER, hint: 'inbox' });
        if (!next) return { removed, next: null };
        const { tenant_id, school_id = '', user_id } = next;
        last = { tenant_id, school_id, user_id };
        const old = { ...last, ...IN_INBOX, settled_at: { $lt: before } };
        removed += (await deliveries.updateMany(old, [{ $unset: ENTRY_FIELDS }])).modifiedCount;
      }
      return { removed, next: last };
    },
  };
}

const TIMES = { status: 1, ends_at: 1, updated_at: 1, deleted_at: 1, parent_event_id: 1 } as const;
type Timed = Pick<SchoolEvent, keyof typeof TIMES> & { _id: string };

/** The id that the dates of a series share: messages and confirmations of all dates may belong to one of them. */
const firstOf = ({ _id, parent_event_id }: Timed): string => parent_event_id ?? _id;

function endOf({ status, ends_at, updated_at, deleted_at }: Timed): Date | null {
  if (deleted_at) return deleted_at;
  if (status === 'published' || status === 'in_progress') return null;
  return ends_at > updated_at ? ends_at : updated_at;
}

/** The last of these times; null if one of them is null. */
const lastOf = (ends: readonly (Date | null)[]): Date | null =>
  ends.reduce((last, end) => last && end && new Date(Math.max(+last, +end)));

const IN_ORDER = { tenant_id: 1, school_id: 1, user_id: 1 } as const;

/** Strictly after a person's inbox, in the order of the index. */
const behind = ({ tenant_id, school_id, user_id }: InboxCursor) => ({
  $or: [
    { tenant_id, school_id, user_id: { $gt: user_id } },
    { tenant_id, school_id: { $gt: school_id } },
    { tenant_id: { $gt: tenant_id } },
  ],
});
