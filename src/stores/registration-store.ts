import { scopeOf } from '../people/caller.ts';
import type { RegistrationStore } from '../registrations/ports.ts';
import { isActive, type Registration } from '../registrations/registration.ts';
import { type Database, inTx } from './database.ts';
import { type Row, recordOf, rowOf } from './rows.ts';

/** `active` is what the unique index on one registration per person and event looks at. */
type RegistrationRow = Row<Registration> & { active: boolean };

export function registrationStore(database: Database): RegistrationStore {
  const rows = database.collection<RegistrationRow>('registrations');
  const rowWithActive = (registration: Registration): RegistrationRow => ({
    ...rowOf(registration),
    active: isActive(registration.status),
  });
  const registrationOf = ({ active: _, ...row }: RegistrationRow): Registration => recordOf<Registration>(row);
  const found = (row: RegistrationRow | null): Registration | null => (row ? registrationOf(row) : null);
  return {
    async find(scope, event_id, id, tx) {
      return found(await rows.findOne({ _id: id, event_id, ...scopeOf(scope) }, inTx(tx)));
    },
    async findActive(scope, event_id, user_id, tx) {
      return found(await rows.findOne({ event_id, user_id, active: true, ...scopeOf(scope) }, inTx(tx)));
    },
    async findMany(scope, ids) {
      return (await rows.find({ _id: { $in: [...ids] }, ...scopeOf(scope) }).toArray()).map(registrationOf);
    },
    async insert(registration, tx) {
      await rows.insertOne(rowWithActive(registration) as never, inTx(tx));
    },
    async replace(registration, tx) {
      const { _id, ...rest } = rowWithActive(registration);
      await rows.replaceOne({ _id }, rest as never, inTx(tx));
    },
    async firstWaiting(scope, event_id, limit, tx) {
      const waiting = rows.find({ event_id, status: 'waitlisted', ...scopeOf(scope) }, inTx(tx));
      return (await waiting.sort({ waitlist_number: 1 }).limit(limit).toArray()).map(registrationOf);
    },
    async countAhead(scope, event_id, waitlist_number, tx) {
      const ahead = { event_id, status: 'waitlisted' as const, waitlist_number: { $lt: waitlist_number } };
      return rows.countDocuments({ ...ahead, ...scopeOf(scope) }, inTx(tx));
    },
    async page(scope, event_id, { status, kind, after, limit }) {
      const filter = {
        event_id,
        ...scopeOf(scope),
        ...(status ? { status } : {}),
        ...(kind ? { kind } : {}),
        ...(after ? { _id: { $gt: after } } : {}),
      };
      return (await rows.find(filter).sort({ _id: 1 }).limit(limit).toArray()).map(registrationOf);
    },
    async pageAfter(scope, event_id, statuses, after, limit) {
      const later = after === null ? {} : { _id: { $gt: after } };
      const filter = { event_id, status: { $in: [...statuses] }, ...scopeOf(scope), ...later };
      return (await rows.find(filter).sort({ _id: 1 }).limit(limit).toArray()).map(registrationOf);
    },
  };
}
