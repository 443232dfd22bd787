import { EVENT_STATUSES, type SchoolEvent } from '../../src/events/event.ts';
import { EVENT_TYPES, type EventType } from '../../src/events/event-types.ts';
import type { Database } from '../../src/mongo/database.ts';
import { eventRowOf } from '../../src/mongo/events/event-row.ts';
import { recountTallies } from '../../src/mongo/events/event-tallies.ts';
import { VISIBILITIES, type Visibility } from '../../src/people/visibility.ts';
import { anEvent } from './builders.ts';

export const BIG = { tenant_id: 'big', school_id: 'big' };
const FIRST_DAY = '2024-09-01';
const DAYS = 1096;

const TYPES = Object.keys(EVENT_TYPES) as EventType[];
const LEVELS = Object.keys(VISIBILITIES) as Visibility[];

const DAY_MS = 86_400_000;
const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

/** Reproducible pseudo-random numbers. */
function dice(seed: number) {
  let state = seed;
  return (sides: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** One of very many events of a school over three years; a tenth all day, few of them long. */
function one(n: number, roll: (sides: number) => number): SchoolEvent {
  const start_date = addDays(FIRST_DAY, roll(DAYS));
  const all_day = roll(10) === 0;
  const days = roll(100) === 0 ? 3 + roll(10) : 0;
  const end_date = addDays(start_date, days);
  const starts_at = new Date(all_day ? start_date : `${start_date}T${String(8 + roll(10)).padStart(2, '0')}:00:00Z`);
  const ends_at = all_day ? new Date(addDays(end_date, 1)) : new Date(+starts_at + days * DAY_MS + 3_600_000);
  const visibility = LEVELS[roll(6)] ?? 'public';
  return anEvent({
    ...BIG,
    id: `event-${String(n).padStart(7, '0')}`,
    title: `Lesson ${n % 5000} of ${['robotics', 'chemistry', 'choir', 'chess'][roll(4)]}`,
    event_type: TYPES[roll(17)] ?? 'other',
    status: EVENT_STATUSES[roll(7)] ?? 'draft',
    visibility,
    restricted_to: visibility === 'restricted' ? { class_ids: [`class-${roll(300)}`] } : null,
    organizer_id: `teacher-${roll(500)}`,
    department_id: `department-${roll(40)}`,
    class_id: `class-${roll(300)}`,
    is_featured: roll(200) === 0,
    is_recurring: roll(20) === 0,
    tags: [`tag-${roll(400)}`],
    categories: [`category-${roll(60)}`],
    current_attendees: roll(30),
    start_date,
    end_date,
    all_day,
    starts_at,
    ends_at,
  });
}

const SEED = 5000;

/**
 * Stores the events: inserts some, which the server multiplies, and builds the indexes afterwards, because anything else
 * would be slow.
 */
export async function insertManyEvents(database: Database, count: number): Promise<void> {
  const rows = database.collection('events');
  const roll = dice(4);
  const seed = Array.from({ length: Math.min(SEED, count) }, (_, n) => eventRowOf(one(n, roll)));
  await rows.insertMany(seed as never, { ordered: false });
  await rows
    .aggregate([
      { $set: { copy: { $range: [0, Math.ceil(count / SEED)] } } },
      { $unwind: '$copy' },
      { $set: { _id: { $concat: ['$_id', '-', { $toString: '$copy' }] } } },
      { $unset: 'copy' },
      { $out: 'events' },
    ])
    .toArray();
  await database.setUp();
  await recountTallies(database);
}
