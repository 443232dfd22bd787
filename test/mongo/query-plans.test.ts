import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { ENTRY_FIELDS } from '../../src/calendar/show.ts';
import { daysOf, monthGridOf, weekOf } from '../../src/core/zoned-time.ts';
import { type EventFilter, QUICK_FILTERS, quickFilter } from '../../src/events/rules/filter.ts';
import type { Database } from '../../src/mongo/database.ts';
import { eventReader } from '../../src/mongo/events/event-reader.ts';
import { openDatabase } from '../../src/mongo/open-database.ts';
import { maySee, SEEN_FIELDS, type Viewer } from '../../src/people/visibility.ts';
import { visibleTo } from '../../src/people/visible-events.ts';
import { aCaller } from '../support/builders.ts';
import { freshDatabaseUri, nativeDb } from '../support/database.ts';
import { BIG, insertManyEvents } from '../support/many-events.ts';
import { profile } from '../support/profile.ts';

/** `COUNT=200000` equals the benchmarks of lists; queries read the same share of the events. */
const COUNT = Number(process.env.COUNT ?? 15_000);
const NOW = new Date('2026-03-04T10:00:00Z');

let database: Database;
beforeAll(async () => {
  database = await openDatabase(freshDatabaseUri(inject('mongodbUri')));
  await insertManyEvents(database, COUNT);
});
afterAll(() => database?.close());
// A plan that another test has cached is given up only after ten times its work, which is much among few events.
beforeEach(() => nativeDb(database).command({ planCacheClear: 'events' }));

type Work = { planSummary: string; docsExamined: number; keysExamined: number; nreturned: number; hasSortStage?: true };

/** The work of each executed plan, instead of a possible one that MongoDB would explain. */
async function workOf(query: () => Promise<unknown>): Promise<Work[]> {
  // Run twice first, so that the server has cached its plan.
  for (let i = 0; i < 2; i++) await query();
  const ns = `${nativeDb(database).databaseName}.events`;
  // A cursor that is closed early leaves an entry too, which examines nothing.
  return (await profile(database, { ns, docsExamined: { $exists: true } }, query)) as Work[];
}

const editor = aCaller({ ...BIG, permissions: ['events.view', 'events.update'] });
const student = aCaller({ ...BIG, user_id: 'pupil', roles: ['student'], class_ids: ['class-7'] });
const visitor: Viewer = { ...aCaller(BIG), user_id: null, roles: ['external'], permissions: [] };

/** The share of the school's events that each viewer sees: a looked-up filter also reads events that they don't see. */
const WHO: Record<string, { viewer: Viewer; share: number }> = {
  editor: { viewer: editor, share: 1 },
  student: { viewer: student, share: 3 / 7 },
  visitor: { viewer: visitor, share: 5 / 42 },
};

const FILTERS: [string, EventFilter[]][] = [
  ['nothing', [{}]],
  ['a type', [{ event_type: ['exam'] }]],
  ['three types', [{ event_type: ['exam', 'sports', 'social'] }]],
  ['a status', [{ status: ['published'] }]],
  ['a visibility', [{ visibility: ['public'] }]],
  ['dates', [{ start_date_from: '2026-03-01', start_date_to: '2026-03-31' }]],
  ['a day', [{ start_date_from: '2026-03-04', start_date_to: '2026-03-04' }]],
  ['an organizer', [{ organizer_id: ['teacher-77'] }]],
  ['a department', [{ department_id: ['department-9'] }]],
  ['a class', [{ class_id: ['class-9'] }]],
  ['featured', [{ is_featured: true }]],
  ['not featured', [{ is_featured: false }]],
  ['recurring', [{ is_recurring: true }]],
  ['tags', [{ tags: ['tag-1', 'tag-2'] }]],
  ['a category', [{ categories: ['category-3'] }]],
  ['a common word', [{ words: ['chem'] }]],
  ['a rare word', [{ words: ['4711'] }]],
  ['a class and dates', [{ class_id: ['class-9'], start_date_from: '2026-01-01' }]],
  ['a type and a status', [{ event_type: ['exam'], status: ['published'] }]],
  ...QUICK_FILTERS.map((quick): [string, EventFilter[]] => [quick, [{}, quickFilter(quick, NOW, 'UTC', 'teacher-3')]]),
];

/** Search words are prefixes; of two filters one uses the index and the other reads events. */
const WITHIN: Readonly<Record<string, number>> = { 'a common word': 8, 'a type and a status': 14, upcoming: 14 / 6 };
const LIMIT = 51;
/** A viewer of everything reads exactly the page; for others it depends on chance how many events are read. */
const chance = (share: number): number => (share === 1 ? 1.2 : 4);

describe('a page of fifty among many thousands', () => {
  test.each(FILTERS)('by %s reads an index and little more than the page', async (name, filters) => {
    const reader = eventReader(database);
    const faults: string[] = [];
    for (const [who, { viewer, share }] of Object.entries(WHO)) {
      for (const descending of [false, true]) {
        // The first page forwards, one from the middle backwards.
        const after = descending ? { at: new Date('2027-01-01'), id: 'x' } : null;
        let found = 0;
        const works = await workOf(async () => {
          const asked = { descending, limit: LIMIT, after };
          const { events: page } = await reader.findPage(visibleTo(viewer), filters, SEEN_FIELDS, asked);
          expect(page.every((event) => maySee(viewer, event))).toBe(true);
          found = page.length;
        });
        const docs = works.reduce((sum, { docsExamined }) => sum + docsExamined, 0);
        const plans = works.map(({ planSummary }) => planSummary).join(' + ');
        const bound = (chance(share) * works.length * (found + 30) * (WITHIN[name] ?? 1)) / share;
        expect(works.length).toBeGreaterThan(0);
        if (docs <= bound && !/COLLSCAN/.test(plans)) continue;
        faults.push(`${who}${descending ? ' backwards' : ''}: ${found} of ${docs} documents by ${plans}`);
      }
    }
    expect(faults).toEqual([]);
  });
});

test('a search for a rare word reads its events only, whatever was searched before', async () => {
  const search = (word: string) =>
    eventReader(database).findPage(visibleTo(editor), [{ words: [word] }], SEEN_FIELDS, { limit: LIMIT });
  for (let i = 0; i < 3; i++) await search('chem');
  const ns = `${nativeDb(database).databaseName}.events`;
  const works = await profile(database, { ns, docsExamined: { $exists: true } }, () => search('4711'));
  const docs = works.reduce((sum, { docsExamined }) => sum + Number(docsExamined), 0);
  expect(docs).toBeLessThan(50);
  // The server counts only the plan that it ended with, not the events read until it gave up the cached one.
  expect(works.filter(({ replanned }) => replanned)).toEqual([]);
});

describe('the calendar among many thousands', () => {
  const shown = {
    month: monthGridOf('2026-03-04'),
    week: weekOf('2026-03-04'),
    day: { first: '2026-03-04', last: '2026-03-04' },
  };
  test.each(Object.entries(shown))('of a %s reads its own events and no earlier ones', async (_view, days) => {
    const filters = [{ during: daysOf(days.first, days.last, 'Europe/Prague'), without_drafts: true } as const];
    for (const [who, { viewer, share }] of Object.entries(WHO)) {
      let found = 0;
      const works = await workOf(async () => {
        const page = { limit: 5_000 };
        found = (await eventReader(database).findPage(visibleTo(viewer), filters, ENTRY_FIELDS, page)).events.length;
      });
      const docs = works.reduce((sum, { docsExamined }) => sum + docsExamined, 0);
      expect(found).toBeGreaterThan(0);
      expect(docs, `${who} ${found}`).toBeLessThan((chance(share) * (found + 30)) / share);
      expect(works.map(({ planSummary }) => planSummary).join()).not.toContain('COLLSCAN');
    }
  });
});

test('statistics of a week read only that week, and of longer times only months at their ends', async () => {
  const prague = (first: string, last: string) => daysOf(first, last, 'Europe/Prague');
  const week = prague('2026-03-16', '2026-03-22');
  const year = prague('2025-09-15', '2026-06-27');
  for (const { viewer, share } of Object.values(WHO)) {
    for (const days of [week, year, null]) {
      let counted = 0;
      const works = await workOf(async () => {
        const tallies = await eventReader(database).countByStatus(visibleTo(viewer), days, NOW);
        counted = tallies.reduce((sum, { count }) => sum + count, 0);
      });
      expect(counted).toBeGreaterThan(COUNT / 2_000);
      for (const { planSummary } of works) expect(planSummary).toMatch(/^IXSCAN/);
      const read = works.reduce((sum, { docsExamined }) => sum + docsExamined, 0);
      expect(read).toBeLessThan(days === week ? (1.5 * (counted + 300)) / share : COUNT / 12);
    }
  }
});

test('finding the tenants of a school reads no event', async () => {
  const works = await workOf(() => eventReader(database).findTenants(BIG.school_id));
  expect(works.map(({ docsExamined }) => docsExamined)).toEqual([0]);
  expect(works[0]?.keysExamined).toBeLessThan(10);
});

test('the check finds a filter without an index', async () => {
  const rows = database.collection('events');
  const works = await workOf(() => rows.find({ ...BIG, location_name: 'nowhere' } as never).toArray());
  expect(works[0]?.docsExamined).toBeGreaterThan(COUNT / 2);
});
