import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchWords } from '../../../src/core/plain-text.ts';
import { addDays, daysOf } from '../../../src/core/zoned-time.ts';
import { EVENT_STATUSES, type SchoolEvent } from '../../../src/events/event.ts';
import type { EventFilter } from '../../../src/events/rules/filter.ts';
import { eventReader } from '../../../src/mongo/events/event-reader.ts';
import { eventRowOf } from '../../../src/mongo/events/event-row.ts';
import { maySee, VISIBILITIES, type Viewer, type Visibility } from '../../../src/people/visibility.ts';
import { visibleTo } from '../../../src/people/visible-events.ts';
import { anEvent } from '../../support/builders.ts';
import { provideDatabase } from '../../support/database.ts';
import { anyEvent, anyViewer, FIRST, people, someOf } from './any-event.ts';
import { fits } from './fits-filter.ts';

const database = await provideDatabase();

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
    for_children: fc.array(fc.record({ class_ids: someOf(['5a', '5b']), grade_level_ids: someOf(['g5', 'g6']) }), {
      minLength: 1,
      maxLength: 2,
    }),
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
  ask: (events: SchoolEvent[], viewer: Viewer, filters: EventFilter[], descending: boolean) => Promise<void>,
): Promise<void> {
  const rows = database.collection('events');
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyEvent(30), { minLength: 60, maxLength: 60 }),
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
    { numRuns: 3, endOnFailure: true },
  );
}

test('the store finds exactly the events that the rule lets a viewer see', async () => {
  let seen = 0;
  await compare(async (events, viewer) => {
    const wanted = events.filter((event) => event.deleted_at === null && maySee(viewer, event)).sort(byStart);
    const all = Object.keys(anEvent({})) as (keyof SchoolEvent)[];
    const { events: found } = await eventReader(database).findPage(visibleTo(viewer), [], all, { limit: 100 });
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
  expect(seen).toBeGreaterThan(120);
});

test('filters find matching events in both orders, page by page', async () => {
  const reader = eventReader(database);
  let seen = 0;
  await compare(async (events, viewer, filters, descending) => {
    const wanted = events
      .filter((event) => event.deleted_at === null && maySee(viewer, event))
      .filter((event) => filters.every((filter) => fits(event, filter)))
      .sort((a, b) => (descending ? byStart(b, a) : byStart(a, b)));
    const found: { id: string; starts_at: Date; title: string }[] = [];
    for (let limit = 1, last: { id: string; starts_at: Date } | undefined; ; limit += 6) {
      const after = last ? { at: last.starts_at, id: last.id } : null;
      const page = await reader.findPage(visibleTo(viewer), filters, ['title'], { descending, after, limit });
      found.push(...page.events);
      last = page.events.at(-1);
      if (!page.has_more) break;
    }
    expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
    expect(found.map(({ title }) => title)).toEqual(wanted.map(({ title }) => title));
    seen += found.length;
  });
  expect(seen).toBeGreaterThan(120);
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
  expect(await reader.findTenants('one')).toEqual(['t1']);
  expect(await reader.findTenants('two')).toHaveLength(2);
  expect(await reader.findTenants('three')).toEqual(['t3']);
  expect(await reader.findTenants('none')).toEqual([]);
});
