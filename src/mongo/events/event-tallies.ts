import { groupBy } from '../../core/groups.ts';
import { newId } from '../../core/ids.ts';
import { fromKeys } from '../../core/objects.ts';
import type { SchoolEvent } from '../../events/event.ts';
import type { EventType } from '../../events/event-types.ts';
import type { EventChange, EventTally } from '../../events/ports.ts';
import { type Scope, scopeOf } from '../../people/caller.ts';
import type { Database } from '../database.ts';
import { inTx } from '../rows.ts';
import type { TallyRow } from '../stored-rows.ts';

/** The sums of a row, and the counter of events that each adds up. */
const SUMMED = { seats: 'current_attendees', confirmed: 'confirmed', checked_in: 'checked_in' } as const;
type Sum = keyof typeof SUMMED;
export const SUMS = Object.keys(SUMMED) as Sum[];

export const eachSum = <T>(value: (name: Sum, counter: (typeof SUMMED)[Sum]) => T): Record<Sum, T> =>
  fromKeys(SUMS, (name) => value(name, SUMMED[name]));

export const monthOf = (date: string): string => date.slice(0, 7);

const keyOf = ({ tenant_id, school_id, month, status, visibility, is_active }: Omit<TallyRow, '_id'>): string =>
  JSON.stringify([tenant_id, school_id, month, status, visibility, is_active]);

function tallyOf(event: SchoolEvent, step: 1 | -1): TallyRow {
  const { start_date, status, visibility, is_active, event_type } = event;
  const key = { ...scopeOf(event), month: monthOf(start_date), status, visibility, is_active };
  const sums = eachSum((_, counter) => step * event[counter]);
  return { _id: '', ...key, ...sums, count: step, types: { [event_type]: step } };
}

/** One row per key, with the key as its id; without rows that add nothing. */
function merged(rows: readonly TallyRow[]): TallyRow[] {
  const sums = groupBy(rows, keyOf).map((group) => {
    const [{ added: _, ...first }, ...others] = group;
    const sum: TallyRow = { ...first, _id: keyOf(first), types: { ...first.types } };
    for (const { types, ...other } of others) {
      for (const name of ['count', ...SUMS] as const) sum[name] += other[name];
      addTypes(sum.types, types);
    }
    return sum;
  });
  return sums.filter(({ types, ...sum }) => SUMS.some((name) => sum[name]) || Object.values(types).some(Boolean));
}

/** Adds counts of events by type to others. */
export function addTypes(sums: EventTally['types'], types: EventTally['types']): void {
  for (const [type, n] of Object.entries(types) as [EventType, number][]) sums[type] = (sums[type] ?? 0) + n;
}

/** The rows to insert with these changes of events; deleted events are not counted. */
export function tallyRowsOf(changes: readonly EventChange[]): TallyRow[] {
  const steps = changes.flatMap(({ before, after }) => [
    ...(before && !before.deleted_at ? [tallyOf(before, -1)] : []),
    ...(after.deleted_at ? [] : [tallyOf(after, 1)]),
  ]);
  return merged(steps).map((row) => ({ ...row, _id: newId(), added: true }));
}

/** Rows that the sweep adds up in one transaction. */
const BATCH = 2_000;

/** Adds the rows of changes to those of their months. Sums stay the same at every moment. */
export async function foldTallies(database: Pick<Database, 'collection' | 'transact'>, signal: AbortSignal) {
  const rows = database.collection('event_tallies');
  for (let folded = BATCH; folded === BATCH && !signal.aborted; ) {
    folded = await database.transact(async (tx) => {
      const added = await rows.find({ added: true }, { limit: BATCH, ...inTx(tx) }).toArray();
      const writes = merged(added).map(({ _id, count, seats, confirmed, checked_in, types, ...key }) => {
        const byType = Object.fromEntries(Object.entries(types).map(([type, n]) => [`types.${type}`, n]));
        const update = { $setOnInsert: key, $inc: { count, seats, confirmed, checked_in, ...byType } };
        return { updateOne: { filter: { _id }, update, upsert: true } };
      });
      if (writes.length > 0) await rows.bulkWrite(writes, inTx(tx));
      if (added.length > 0) await rows.deleteMany({ _id: { $in: added.map(({ _id }) => _id) } }, inTx(tx));
      return added.length;
    });
  }
}

/** Counts the events of every school again, each in one snapshot, so that changes meanwhile are counted once. */
export async function recountTallies({ collection, transact }: Pick<Database, 'collection' | 'transact'>) {
  const events = collection('events');
  const rows = collection('event_tallies');
  const schools = events.aggregate<{ _id: Scope }>([{ $group: { _id: SCHOOL } }], { hint: 'in_order' });
  for (const { _id: scope } of await schools.toArray()) {
    const stages = [{ $match: { ...scope, deleted_at: null } }, { $group: PER_TYPE }];
    await transact(async (tx) => {
      const counted = await events.aggregate<PerType>(stages, inTx(tx)).toArray();
      const sums = counted.map(({ _id: { event_type, ...key }, count, ...sums }) => ({
        _id: '',
        ...scope,
        ...key,
        count,
        ...sums,
        types: { [event_type]: count },
      }));
      await rows.deleteMany(scope, inTx(tx));
      if (sums.length > 0) await rows.insertMany(merged(sums), inTx(tx));
    });
  }
}

const SCHOOL = { tenant_id: '$tenant_id', school_id: '$school_id' };

type PerType = Pick<TallyRow, 'count' | Sum> & {
  _id: Pick<TallyRow, 'month' | 'status' | 'visibility' | 'is_active'> & { event_type: EventType };
};

const PER_TYPE = {
  _id: {
    month: { $substrBytes: ['$start_date', 0, 7] },
    status: '$status',
    visibility: '$visibility',
    is_active: '$is_active',
    event_type: '$event_type',
  },
  count: { $sum: 1 },
  ...eachSum((_, counter) => ({ $sum: `$${counter}` })),
};
