import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { addDays, daysOf } from '../../../src/core/zoned-time.ts';
import { EVENT_STATUSES, type SchoolEvent } from '../../../src/events/event.ts';
import { UPCOMING } from '../../../src/events/rules/filter.ts';
import { eventReader } from '../../../src/mongo/events/event-reader.ts';
import { eventStore } from '../../../src/mongo/events/event-store.ts';
import { foldTallies, recountTallies } from '../../../src/mongo/events/event-tallies.ts';
import { maySee, VISIBILITIES, type Viewer, type Visibility } from '../../../src/people/visibility.ts';
import { visibleTo } from '../../../src/people/visible-events.ts';
import { summaryOf } from '../../../src/statistics/summary.ts';
import { aCaller, anEvent } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { anyEvent, anyViewer, FIRST } from './any-event.ts';
import { startsOn } from './fits-filter.ts';

const database = await emptyDatabase();

const RANGE = 100;
const fold = () => foldTallies(database, new AbortController().signal);
const openRows = () => database.collection('event_tallies').countDocuments({ added: true });

/** The statistics of these events by a plain count. */
function counted(events: readonly SchoolEvent[], viewer: Viewer, days: ReturnType<typeof daysOf> | null, now: Date) {
  const seen = events.filter(
    (event) => event.deleted_at === null && maySee(viewer, event) && (!days || startsOn(event, days)),
  );
  return summaryOf(
    seen.map(({ status, starts_at, current_attendees, confirmed, checked_in, event_type }) => ({
      status,
      count: 1,
      upcoming: UPCOMING.includes(status) && starts_at > now ? 1 : 0,
      seats: current_attendees,
      confirmed,
      checked_in,
      types: { [event_type]: 1 },
    })),
  );
}

const anyDays = fc.option(
  fc
    .tuple(fc.nat(RANGE), fc.nat(RANGE), fc.constantFrom('UTC', 'Pacific/Kiritimati', 'Etc/GMT+12'))
    .map(([day, more, zone]) => daysOf(addDays(FIRST, day), addDays(FIRST, day + more), zone)),
);
const HOUR_MS = 3_600_000;
const anyNow = fc
  .integer({ min: -10 * 24, max: (RANGE + 10) * 24 })
  .map((h) => new Date(Date.parse(FIRST) + h * HOUR_MS));
/** Half of them ask within a day of an end of the period, where the date and the instant of an event may differ. */
const anyQuestion = fc
  .tuple(anyViewer, anyDays, anyNow, fc.constantFrom('from', 'until', null, null), fc.integer({ min: -26, max: 26 }))
  .map(([viewer, days, now, end, hours]) => {
    const near = days && end ? new Date(days[end].getTime() + hours * HOUR_MS) : now;
    return [viewer, days, near] as const;
  });

/** The fields of an event that its counters depend on. */
const anyChange = fc.record(
  {
    status: fc.constantFrom(...EVENT_STATUSES),
    visibility: fc.constantFrom(...(Object.keys(VISIBILITIES) as Visibility[])),
    is_active: fc.boolean(),
    event_type: fc.constantFrom('exam' as const, 'sports' as const),
    current_attendees: fc.nat(9),
    confirmed: fc.nat(9),
    checked_in: fc.nat(9),
    deleted_at: fc.constantFrom(null, new Date()),
    title: fc.constantFrom('Concert', 'Fair'),
  },
  { requiredKeys: [] },
);

test('statistics equal a plain count for every viewer and period, before and after the sweep', async () => {
  const store = eventStore(database);
  const reader = eventReader(database);
  let total = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(anyEvent(RANGE), fc.array(anyChange, { maxLength: 2 })), { minLength: 80, maxLength: 80 }),
      fc.array(anyQuestion, { minLength: 25, maxLength: 25 }),
      async (made, questions) => {
        await database.collection('events').deleteMany({});
        await database.collection('event_tallies').deleteMany({});
        let events = made.map(([event]) => event);
        const ask = async () => {
          for (const [viewer, days, now] of questions) {
            const found = summaryOf(await reader.countByStatus(visibleTo(viewer), days, now));
            expect(found).toEqual(counted(events, viewer, days, now));
            total += found.total;
          }
        };
        await database.transact((tx) => store.insert(events, tx));
        for (const n of [0, 1]) {
          if (n === 1) await fold();
          const changes = made.flatMap(([{ id }, more]) => {
            const before = events.find((event) => event.id === id);
            return before && more[n] ? [{ before, after: { ...before, ...more[n], version: before.version + 1 } }] : [];
          });
          expect(await database.transact((tx) => store.replaceMany(changes, tx))).toBe(true);
          events = events.map((event) => changes.find(({ after }) => after.id === event.id)?.after ?? event);
        }
        await ask();
        await fold();
        expect(await openRows()).toBe(0);
        await ask();
        await database.collection('event_tallies').deleteMany({});
        await recountTallies(database);
        await ask();
      },
    ),
    { numRuns: 2, endOnFailure: true },
  );
  expect(total).toBeGreaterThan(200);
});

test.each([
  [
    'has begun before a period that begins on its date',
    '2026-10-16',
    '2026-10-15',
    ['2026-10-16', '2026-12-31', 'UTC'],
  ],
  ['has begun before a period ends on the day before', '2026-10-16', '2026-10-15', ['2026-08-01', '2026-10-15', 'UTC']],
  [
    'is over when a period begins that is still tomorrow in UTC',
    '2026-09-10',
    '2026-09-30',
    ['2026-10-01', '2026-12-31', 'Pacific/Kiritimati'],
  ],
] as const)('an all-day event that %s is not counted as upcoming', async (_, date, today, period) => {
  const scope = { tenant_id: newId(), school_id: 'east' };
  const viewer = aCaller({ ...scope, permissions: ['events.update'] });
  // A day of this zone begins at ten in UTC on the day before.
  const { from, until } = daysOf(date, date, 'Pacific/Kiritimati');
  const dates = { all_day: true, start_date: date, end_date: date, starts_at: from, ends_at: until };
  const event = anEvent({ ...scope, ...dates, id: newId() });
  await database.transact((tx) => eventStore(database).insert([event], tx));
  const [first, last, zone] = period;
  const days = daysOf(first, last, zone);
  const now = new Date(`${today}T12:00:00Z`);
  const found = summaryOf(await eventReader(database).countByStatus(visibleTo(viewer), days, now));
  expect(found).toEqual(counted([event], viewer, days, now));
  expect(found.upcoming).toBe(0);
});

test('statistics stay exact while transactions commit, conflict and abort beside the sweep and a new count', async () => {
  const scope = { tenant_id: newId(), school_id: 'busy' };
  const viewer = aCaller({ ...scope, permissions: ['events.update'] });
  const store = eventStore(database);
  const reader = eventReader(database);
  const read = async () => summaryOf(await reader.countByStatus(visibleTo(viewer), null, new Date()));
  const first = Array.from({ length: 12 }, (_, n) => anEvent({ ...scope, id: `${scope.tenant_id}-${n}` }));
  await database.transact((tx) => store.insert(first, tx));

  let isDone = false;
  const meanwhile = async (work: () => Promise<unknown>) => {
    while (!isDone) await work().then(() => delay(20));
  };
  /** Registers a person with one of a few events, which therefore conflict, and may fail after all writes. */
  const seat = async (n: number) => {
    const id = first[n % 4]?.id ?? '';
    try {
      await database.transact(async (tx) => {
        const before = await store.find(scope, id, tx);
        if (!before) throw new Error('the event is gone');
        const after = {
          ...before,
          current_attendees: before.current_attendees + 1,
          status: n % 3 === 0 ? ('postponed' as const) : ('published' as const),
          version: before.version + 1,
        };
        await store.replaceMany([{ before, after }], tx);
        if (n % 5 === 0) throw new Aborted();
      });
      return 1;
    } catch (error) {
      if (error instanceof Aborted) return 0;
      throw error;
    }
  };
  const beside = [
    meanwhile(fold),
    meanwhile(() => recountTallies(database)),
    meanwhile(async () => expect((await read()).total).toBe(first.length)),
  ];
  const seats = await Promise.all(
    Array.from({ length: 6 }, async (_, worker) => {
      let done = 0;
      for (let n = 0; n < 25; n++) done += await seat(worker * 25 + n);
      return done;
    }),
  ).finally(() => {
    isDone = true;
  });
  await Promise.all(beside);
  const taken = seats.reduce((sum, n) => sum + n, 0);
  expect(taken).toBe(120);
  await fold();
  const events = await store.findMany(first.map(({ id }) => id));
  expect(await read()).toEqual(counted(events, viewer, null, new Date()));
  expect((await read()).totalRegistrations).toBe(taken);
});

class Aborted extends Error {}
