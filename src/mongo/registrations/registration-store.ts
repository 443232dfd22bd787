import { byId } from '../../core/groups.ts';
import { changedValues, fromKeys } from '../../core/objects.ts';
import { WriteConflict } from '../../core/transaction.ts';
import type { ActiveRegistration } from '../../events/find-confirmed.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import type { RegistrationStore, SeatAuditStore, SeatCounts } from '../../registrations/ports.ts';
import { isActive, type Registration, type RegistrationCount, STATE_FIELDS } from '../../registrations/registration.ts';
import type { Database } from '../database.ts';
import { anyOf, bounds, conflictIfDuplicate, type Filter, findIds, findRangeEnds, inTx, rowOf } from '../rows.ts';
import type { RegistrationRow } from '../stored-rows.ts';

export function registrationStore(database: Database): RegistrationStore {
  const rows = database.collection('registrations');
  const rowWithActive = (registration: Registration): RegistrationRow => ({
    ...rowOf(registration),
    active: isActive(registration.status),
  });
  // Rows stored by earlier versions have no answers.
  const registrationOf = ({ _id, active: _, answers = [], ...row }: RegistrationRow) => ({ id: _id, ...row, answers });
  const found = (row: RegistrationRow | null): Registration | null => row && registrationOf(row);
  const read = async (filter: Filter<RegistrationRow>, options: Parameters<typeof rows.find>[1] = {}) =>
    (await rows.find(filter, options).toArray()).map(registrationOf);
  return {
    async find(scope, event_id, id, tx) {
      return found(await rows.findOne({ _id: id, event_id, ...scopeOf(scope) }, inTx(tx)));
    },
    findAnywhere: async (id) => found(await rows.findOne({ _id: id })),
    findMany: (scope, ids) => read({ _id: { $in: ids }, ...scopeOf(scope) }),
    findStatuses: (scope, ids) =>
      read({ _id: { $in: ids }, ...scopeOf(scope) }, { projection: fromKeys(STATE_FIELDS, () => 1) }),
    async findAmong(scope, event_id, { ids, user_ids, slots = [], since }, tx) {
      const of = { event_id, ...scopeOf(scope) };
      const named = ids.length > 0 ? await read({ ...of, _id: { $in: ids } }, inTx(tx)) : [];
      const wanted = since ? { $or: [{ active: true }, { created_at: { $gt: since } }] } : { active: true };
      const ofPeople = { ...of, user_id: { $in: user_ids }, ...wanted };
      const ofThem = user_ids.length > 0 ? await read(ofPeople, inTx(tx)) : [];
      const ofSlots = { ...of, active: true, $or: slots.map((slot) => ({ slots: { $elemMatch: slot } })) };
      const holders = slots.length > 0 ? await read(ofSlots, inTx(tx)) : [];
      return [...byId([...named, ...ofThem, ...holders]).values()];
    },
    listWithSlots: (scope, event_id) =>
      read({ event_id, ...scopeOf(scope), active: true, 'slots.minute': { $exists: true } }),
    listOfEvent: (scope, event_id, tx) => read({ event_id, ...scopeOf(scope) }, inTx(tx)),
    listOfPerson: (scope, event_id, user_id) => read({ event_id, user_id, ...scopeOf(scope) }),
    insertMany: (registrations, tx) =>
      rows.insertMany(registrations.map(rowWithActive), inTx(tx)).catch(throwWriteConflict),
    async changeMany(changes, tx) {
      // A slot may pass from one of them to another, and the unique index allows no slot twice after any write.
      const withSlots = changes.filter(({ before }) => before.slots).map(({ before }) => before.id);
      if (withSlots.length > 1)
        await rows.updateMany({ _id: { $in: withSlots } }, { $set: { active: false } }, inTx(tx));
      const writes = changes.map(({ before, after }) => ({
        updateOne: {
          filter: { _id: before.id, status: before.status },
          // Only what differs, so that concurrent edits of other fields stay.
          update: { $set: { ...changedValues(before, after), active: isActive(after.status) } },
        },
      }));
      const options = { ordered: false, ...inTx(tx) };
      const { matchedCount } = await rows.bulkWrite(writes, options).catch(throwWriteConflict);
      if (matchedCount !== changes.length) throw new WriteConflict('a registration has changed');
    },
    async putMany(registrations, tx) {
      // Ended rows first, because the unique index allows one active registration per person after each write.
      const endedFirst = registrations.map(rowWithActive).sort((a, b) => Number(a.active) - Number(b.active));
      const writes = endedFirst.map(({ _id, ...replacement }) => ({
        replaceOne: { filter: { _id }, replacement, upsert: true },
      }));
      await rows.bulkWrite(writes, inTx(tx)).catch(throwWriteConflict);
    },
    findFirstWaiting: (scope, event_id, limit, tx) =>
      read({ event_id, status: 'waitlisted', ...scopeOf(scope) }, { sort: { waitlist_number: 1 }, limit, ...inTx(tx) }),
    async findWaitlistPositions(scope, event_id, numbers) {
      const positions = new Map<number, number>();
      const sorted = [...numbers].sort((a, b) => a - b);
      const of = { event_id, status: 'waitlisted', ...scopeOf(scope) };
      const first = sorted[0];
      const last = sorted.at(-1);
      if (first === undefined || last === undefined) return positions;
      const ahead = await rows.countDocuments({ ...of, waitlist_number: { $lt: first } });
      if (first === last) return positions.set(first, ahead + 1);
      const between = rows.find(
        { ...of, waitlist_number: { $gte: first, $lte: last } },
        { projection: { _id: 0, waitlist_number: 1 } },
      );
      const wanted = new Set(numbers);
      let position = ahead;
      for await (const { waitlist_number } of between.sort({ waitlist_number: 1 })) {
        position += 1;
        if (waitlist_number !== null && wanted.has(waitlist_number)) positions.set(waitlist_number, position);
      }
      return positions;
    },
    findPage: (scope, event_id, { status, kind, after, until, limit }) =>
      read(
        { event_id, ...scopeOf(scope), ...anyOf({ status, kind }), ...bounds('_id', after, until) },
        { ...IN_EVENT, limit },
      ),
    async countByKind(scope, event_id) {
      const counted = rows.aggregate([
        { $match: { event_id, ...scopeOf(scope) } },
        {
          $group: {
            _id: { status: '$status', kind: '$kind' },
            count: { $sum: 1 },
            checked_in: { $sum: { $cond: [{ $gt: ['$checked_in_at', null] }, 1, 0] } },
          },
        },
        { $sort: { _id: 1 } },
        { $project: { _id: 0, status: '$_id.status', kind: '$_id.kind', count: 1, checked_in: 1 } },
      ]);
      return (await counted.toArray()) as RegistrationCount[];
    },
    async findActive(scope, user_ids, event_id) {
      const of = { ...scopeOf(scope), ...anyOf({ user_id: user_ids, event_id }), active: true };
      const projection = { _id: 0, event_id: 1, user_id: 1, status: 1 };
      return (await rows.find(of, { projection }).toArray()) as ActiveRegistration[];
    },
    findPageByPerson(scope, event_ids, after, limit) {
      const ofEvents = { event_id: { $in: event_ids }, active: true, ...scopeOf(scope) };
      return read({ ...ofEvents, ...bounds('user_id', after) }, { sort: { user_id: 1, event_id: 1 }, limit });
    },
    findRangeEnds(scope, event_id, status, after, size) {
      const filter = { event_id, ...scopeOf(scope), ...anyOf({ status }) };
      return findRangeEnds(rows, { filter, key: '_id', hint: IN_EVENT.hint }, after, size);
    },
  };
}

const throwWriteConflict = conflictIfDuplicate('a person or a slot was taken meanwhile');

/** MongoDB may prefer the order of ids instead, and then reads the registrations of all other events as well. */
const IN_EVENT = { hint: 'event_id_1__id_1', sort: { _id: 1 } } as const;

const NAMED = { _id: 1, tenant_id: 1, school_id: 1 } as const;

export function seatAuditStore(database: Database): SeatAuditStore {
  const events = database.collection('events');
  const registrations = database.collection('registrations');
  const named = (row: Scope & { _id: string }) => ({ id: row._id, ...scopeOf(row) });
  return {
    findEventIds: (after, limit) =>
      findIds(events, { deleted_at: null, ...bounds('_id', after) }, { sort: { _id: 1 }, limit }),
    async findEventsWithFreeSeats(limit) {
      const later = { $gt: database.clock.now() };
      const filter = { seats_to_give: true, starts_at: later, held_until: { $not: later }, deleted_at: null };
      return (await events.find(filter, { projection: NAMED }).limit(limit).toArray()).map(named);
    },
    async countSeats(event_ids, tx) {
      const countIf = (condition: unknown) => ({ $sum: { $cond: [condition, 1, 0] } });
      const isConfirmed = { $eq: ['$status', 'confirmed'] };
      const byEvent = registrations.aggregate<SeatCounts & { _id: string }>(
        [
          { $match: { event_id: { $in: event_ids }, status: { $ne: 'cancelled' } } },
          {
            $group: {
              _id: '$event_id',
              current_attendees: countIf({ $in: ['$status', ['pending', 'confirmed']] }),
              waitlisted: countIf({ $eq: ['$status', 'waitlisted'] }),
              confirmed: countIf(isConfirmed),
              checked_in: countIf({ $and: [isConfirmed, { $gt: ['$checked_in_at', null] }] }),
              overridden: countIf('$override'),
              last_waitlist_number: { $max: { $ifNull: ['$waitlist_number', 0] } },
            },
          },
        ],
        inTx(tx),
      );
      return new Map((await byEvent.toArray()).map(({ _id, ...counts }) => [_id, counts]));
    },
  };
}
