import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { daysOf } from '../../../src/core/days.ts';
import { searchWords } from '../../../src/core/search-words.ts';
import { addDays } from '../../../src/core/zoned-time.ts';
import { EVENT_STATUSES, type SchoolEvent } from '../../../src/events/event.ts';
import type { EventFilter } from '../../../src/events/rules/filter.ts';
import { type Database, openDatabase } from '../../../src/mongo/database.ts';
import { eventReader } from '../../../src/mongo/events/event-reader.ts';
import { eventRowOf } from '../../../src/mongo/events/event-row.ts';
import { ROLES } from '../../../src/people/caller.ts';
import { maySee, VISIBILITIES, type Viewer, type Visibility } from '../../../src/people/visibility.ts';
import { visibleTo } from '../../../src/people/visible-events.ts';
import { anEvent } from '../../support/builders.ts';
import { freshDatabaseUri } from '../../support/database.ts';
import { fits } from '../../support/fits-filter.ts';

// Many small queries, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

let database: Database;
beforeAll(async () => {
  database = await openDatabase(freshDatabaseUri(inject('mongodbUri')));
  await database.setUp();
});
afterAll(() => database?.close());

/** Few values, so that random events and viewers match. */
const someOf = <T>(values: readonly T[], maxLength = 2) =>
  fc.uniqueArray(fc.constantFrom(...values), { maxLength }) as fc.Arbitrary<T[]>;
const people = ['ann', 'bob', 'cyd'];
const lists = {
  class_ids: someOf(['5a', '5b']),
  grade_level_ids: someOf(['g5', 'g6']),
  department_ids: someOf(['d1', 'd2']),
};
const scope = fc.constantFrom(
  { tenant_id: 't1', school_id: 's1' },
  { tenant_id: 't1', school_id: 's1' },
  { tenant_id: 't1', school_id: 's1' },
  { tenant_id: 't1', school_id: 's2' },
  { tenant_id: 't2', school_id: 's1' },
);
const orMissing = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const restrictedTo = fc.option(
  fc
    .record({
      user_ids: orMissing(someOf(people)),
      roles: orMissing(someOf(ROLES)),
      class_ids: orMissing(lists.class_ids),
      grade_level_ids: orMissing(lists.grade_level_ids),
      department_ids: orMissing(lists.department_ids),
    })
    .map((limits) => Object.fromEntries(Object.entries(limits).filter(([, list]) => list !== undefined))),
);
const DAY = 86_400_000;
const FIRST = '2026-10-01';

/** A start within a month in one of three zones, for a quarter of an hour to five days. */
const when = fc
  .record({
    day: fc.nat(30),
    quarter: fc.nat(95),
    days: fc.constantFrom(0, 0, 0, 1, 4),
    all_day: fc.boolean(),
    zone: fc.constantFrom('UTC', 'Pacific/Kiritimati', 'America/Los_Angeles'),
  })
  .map(({ day, quarter, days, all_day, zone }) => {
    const start_date = addDays(FIRST, day);
    const end_date = addDays(start_date, days);
    const starts_at = all_day
      ? daysOf(start_date, start_date, zone).from
      : new Date(daysOf(start_date, start_date, zone).from.getTime() + quarter * 900_000);
    const ends_at = all_day
      ? daysOf(end_date, end_date, zone).until
      : new Date(starts_at.getTime() + days * DAY + 900_000);
    return { start_date, end_date, all_day, timezone: zone, starts_at, ends_at };
  });

let made = 0;
const anyEvent = fc
  .record({
    scope,
    when,
    status: fc.constantFrom(...EVENT_STATUSES),
    visibility: fc.constantFrom(...(Object.keys(VISIBILITIES) as Visibility[]), 'restricted' as const),
    restricted_to: restrictedTo,
    organizer_id: fc.option(fc.constantFrom(...people)),
    event_type: fc.constantFrom('exam' as const, 'sports' as const),
    class_id: fc.option(fc.constantFrom('5a', '5b')),
    department_id: fc.option(fc.constantFrom('d1', 'd2')),
    tags: someOf(['Music', 'music', 'Řeka a les']),
    categories: someOf(['a', 'b']),
    title: fc.constantFrom('Školní výlet', 'Velký koncert', 'Straße', 'Koncert 2'),
    is_featured: fc.boolean(),
    is_recurring: fc.boolean(),
    deleted_at: fc.constantFrom(null, null, null, new Date()),
  })
  .map(({ scope: where, when: span, ...rest }) => {
    made += 1;
    return anEvent({ ...where, ...span, ...rest, id: `event-${made}` } as Partial<SchoolEvent>);
  });

const own = fc.record({ user_id: fc.constantFrom(...people), roles: someOf(ROLES, 3), ...lists });
const anyViewer: fc.Arbitrary<Viewer> = fc
  .record({
    scope,
    own,
    anonymous: fc.constantFrom(true, false, false, false),
    permissions: fc.constantFrom(undefined, ['events.view'], ['events.view'], ['events.update']),
    children: fc.array(fc.oneof(fc.constantFrom(...people), own), { maxLength: 2 }),
  })
  .map(({ scope: where, own: self, anonymous, permissions, children }) => ({
    ...where,
    ...self,
    ...(anonymous ? { user_id: null } : {}),
    ...(permissions ? { permissions } : {}),
    children: children.filter((child) => typeof child === 'string'),
    known_children: children.filter((child) => typeof child !== 'string'),
  }));

const anyDays = fc
  .tuple(fc.nat(30), fc.constantFrom(0, 0, 6), fc.constantFrom('UTC', 'Pacific/Kiritimati', 'Europe/Prague'))
  .map(([day, more, zone]) => daysOf(addDays(FIRST, day), addDays(FIRST, day + more), zone));
const anyFilter: fc.Arbitrary<EventFilter> = fc.record(
  {
    event_type: fc.constant(['exam'] as const),
    status: someOf(EVENT_STATUSES, 5),
    visibility: someOf(Object.keys(VISIBILITIES) as Visibility[], 3),
    organizer_id: someOf(people),
    department_id: someOf(['d1', 'd2']),
    class_id: someOf(['5a', '5b']),
    tags: someOf(['Music', 'Řeka a les', 'none']),
    categories: someOf(['a', 'b']),
    is_featured: fc.boolean(),
    is_recurring: fc.boolean(),
    start_date_from: fc.nat(30).map((day) => addDays(FIRST, day)),
    start_date_to: fc.nat(30).map((day) => addDays(FIRST, day)),
    words: fc.constantFrom('KONC', 'skolní', 'STRASSE', 'vel kon', 'reka', 'usic', 'výl').map(searchWords),
    without_drafts: fc.constant(true as const),
    during: anyDays,
    starts_on: anyDays,
    upcoming_at: fc.nat(30).map((day) => daysOf(addDays(FIRST, day), FIRST, 'UTC').from),
  },
  { requiredKeys: [] },
);

const byStart = (a: SchoolEvent, b: SchoolEvent) =>
  a.starts_at.getTime() - b.starts_at.getTime() || (a.id < b.id ? -1 : 1);

/** Stores random events and compares the results of database and rule, query by query. */
async function compare(
  runs: number,
  ask: (events: SchoolEvent[], viewer: Viewer, filters: EventFilter[], descending: boolean) => Promise<void>,
): Promise<void> {
  const rows = database.collection('events');
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyEvent, { minLength: 60, maxLength: 60 }),
      fc.array(fc.tuple(anyViewer, fc.array(anyFilter, { maxLength: 2 }), fc.boolean()), {
        minLength: 25,
        maxLength: 25,
      }),
      async (events, questions) => {
        await rows.deleteMany({});
        await rows.insertMany(events.map(eventRowOf) as never);
        for (const [viewer, filters, descending] of questions) await ask(events, viewer, filters, descending);
      },
    ),
    { numRuns: runs, endOnFailure: true },
  );
}

test('the store finds exactly the events that the rule lets a viewer see', async () => {
  let seen = 0;
  await compare(5, async (events, viewer) => {
    const wanted = events.filter((event) => event.deleted_at === null && maySee(viewer, event)).sort(byStart);
    const all = Object.keys(anEvent({})) as (keyof SchoolEvent)[];
    const { events: found } = await eventReader(database).page(visibleTo(viewer), [], all, { limit: 100 });
    expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
    seen += found.length;
    for (const event of found) {
      const { restricted_to, ...stored } = events.find(({ id }) => id === event.id) ?? ({} as SchoolEvent);
      expect(event).toMatchObject({
        ...stored,
        restricted_to: stored.visibility === 'restricted' ? restricted_to : null,
      });
    }
  });
  expect(seen).toBeGreaterThan(200);
});

test('filters find matching events in both orders, page by page, and count them', async () => {
  const reader = eventReader(database);
  let seen = 0;
  await compare(5, async (events, viewer, filters, descending) => {
    const wanted = events
      .filter((event) => event.deleted_at === null && maySee(viewer, event))
      .filter((event) => filters.every((filter) => fits(event, filter)))
      .sort((a, b) => (descending ? byStart(b, a) : byStart(a, b)));
    const found: { id: string; starts_at: Date; title: string }[] = [];
    for (let limit = 1, last: { id: string; starts_at: Date } | undefined; ; limit += 6) {
      const after = last ? { at: last.starts_at, id: last.id } : null;
      const page = await reader.page(visibleTo(viewer), filters, ['title'], { descending, after, limit });
      found.push(...page.events);
      last = page.events.at(-1);
      if (!page.has_more) break;
    }
    expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
    expect(found.map(({ title }) => title)).toEqual(wanted.map(({ title }) => title));
    seen += found.length;
    if (filters.some(({ during }) => during)) return;
    const tallies = await reader.tally(visibleTo(viewer), filters, new Date());
    expect(tallies.reduce((sum, { count }) => sum + count, 0)).toBe(wanted.length);
  });
  expect(seen).toBeGreaterThan(200);
});

test('a school is found by its id alone, also if a second tenant has a school of that id', async () => {
  const reader = eventReader(database);
  const rows = database.collection('events');
  await rows.deleteMany({});
  await rows.insertMany(
    [
      anEvent({ id: 'a', tenant_id: 't1', school_id: 'one' }),
      anEvent({ id: 'b', tenant_id: 't1', school_id: 'one' }),
      anEvent({ id: 'c', tenant_id: 't1', school_id: 'two' }),
      anEvent({ id: 'd', tenant_id: 't2', school_id: 'two' }),
    ].map(eventRowOf) as never,
  );
  await database.collection('schools').insertOne({ _id: 'x', tenant_id: 't3', school_id: 'three' } as never);
  expect(await reader.tenantsOf('one')).toEqual(['t1']);
  expect(await reader.tenantsOf('two')).toHaveLength(2);
  expect(await reader.tenantsOf('three')).toEqual(['t3']);
  expect(await reader.tenantsOf('none')).toEqual([]);
});
