import { fromKeys, pick } from '../../core/objects.ts';
import { addDays, type Days, daysBetween } from '../../core/zoned-time.ts';
import type { EventStatus } from '../../events/event.ts';
import { EVENT_TYPE_NAMES, type EventType } from '../../events/event-types.ts';
import type { EventTally } from '../../events/ports.ts';
import { UPCOMING } from '../../events/rules/filter.ts';
import { scopeOf } from '../../people/caller.ts';
import type { VisibleEvents } from '../../people/visible-events.ts';
import type { Database } from '../database.ts';
import { inTx } from '../rows.ts';
import { eventQueries, levelQuery, type Query } from './event-query.ts';
import { term } from './event-row.ts';
import { addTypes, eachSum, monthOf, SUMS } from './event-tallies.ts';

/**
 * A query that corrects the counters of one month, so that they count from a moment within the month on. Counters know only the
 * month of an event's own start date, so the query counts the events between the beginning of the month and the moment.
 */
type Cut = { query: Query; group: object; hint: string };

type Found = Omit<EventTally, 'status' | 'types'> & {
  _id: { status: EventStatus; event_type?: EventType };
} & Partial<Record<EventType, number>>;

const DAY_MS = 86_400_000;
const BY = { status: '$status', event_type: '$event_type' };
const sumIf = (condition: object, value: unknown): object => ({ $sum: { $cond: [condition, value, 0] } });

/**
 * Counts by adding up counters (event-tallies.ts). Looks only at events near the ends of the period, at upcoming ones of
 * this month, and at those that this viewer sees as organizer or because they are restricted to such people.
 */
export async function readTallies(
  database: Pick<Database, 'collection' | 'transact'>,
  visible: VisibleEvents,
  days: Days | null,
  now: Date,
): Promise<EventTally[]> {
  const started = days ? [{ starts_on: days }] : [];
  if (days && isShort(days)) {
    const [query] = eventQueries(visible, started);
    const stages = [{ $match: query }, { $group: eachEvent(now) }];
    const hint = visible.all ? 'in_order' : 'by_term';
    return addedUp(await database.collection('events').aggregate<Found>(stages, { hint }).toArray());
  }
  const level = levelQuery(visible);
  const scope = scopeOf(visible);
  const { cuts, month, upcomingFrom } = cutsOf(days, now);
  return database.transact(async (tx) => {
    const [rows, events] = [database.collection('event_tallies'), database.collection('events')];
    const counters = [{ $match: { ...scope, ...level, ...month } }, { $group: counterSums(upcomingFrom) }];
    const found = await rows.aggregate<Found>(counters, inTx(tx)).toArray();
    const look = async (query: object, group: object, hint: string) =>
      // Without a hint MongoDB tries every index each time, which takes longer than the query.
      found.push(
        ...(await events.aggregate<Found>([{ $match: query }, { $group: group }], { hint, ...inTx(tx) }).toArray()),
      );
    for (const { query, group, hint } of cuts)
      await look({ $and: [{ ...scope, deleted_at: null }, level, query] }, group, hint);
    if (!visible.all) {
      const [others] = eventQueries({ ...visible, levels: [] }, started);
      await look({ $and: [others, { $nor: [level] }] }, eachEvent(now), 'by_term');
    }
    return addedUp(found);
  });
}

/** Whether looking at every event of the days is less work than looking at those near the ends. */
const isShort = ({ first, last }: Days): boolean => {
  const next = addDays(last, 1);
  return daysBetween(first, next) <= Number(first.slice(8)) + Number(next.slice(8));
};

/**
 * The ends of the period, and now if it lies within. `upcomingFrom`: counters from this month on are of upcoming events. An
 * all-day event belongs to a day by its date, but begins at an instant of its own zone, on either side of now.
 */
function cutsOf(days: Days | null, now: Date): { cuts: Cut[]; month: Query; upcomingFrom: string } {
  const today = now.toISOString().slice(0, 10);
  const isAfterNow = { $gt: ['$starts_at', now] };
  const terms = { $in: UPCOMING.map((status) => term('status', status)) };
  if (!days)
    return { cuts: [cutAt(today, now, 1, { upcoming: isAfterNow, terms })], month: {}, upcomingFrom: monthOf(today) };
  const { first, last, from, until } = days;
  const next = addDays(last, 1);
  const [begins, ends] = [startsBy(first, from), startsBy(next, until)];
  const upcoming = (isAfter: object) => ({ $and: [isAfter, isAfterNow] });
  const isAhead = now < from;
  const isOver = now >= until;
  // In the zone of the school the period may begin while its first day is still tomorrow in UTC.
  const day = daysBetween(first, today) < 0 ? first : today;
  const cuts = [
    cutAt(first, from, 1, { count: begins, upcoming: isAhead ? upcoming(begins) : undefined }),
    cutAt(next, until, -1, { count: ends, upcoming: isOver ? undefined : upcoming(ends) }),
    ...(isAhead || isOver ? [] : [cutAt(day, now, 1, { upcoming: upcoming(begins), terms })]),
  ];
  const month = { month: { $gte: monthOf(first), $lt: monthOf(next) } };
  return { cuts, month, upcomingFrom: monthOf(isOver ? next : day) };
}

/** Whether an event starts on this day or later, by its date if it is all day. */
const startsBy = (day: string, at: Date) => ({
  $cond: ['$all_day', { $gte: ['$start_date', day] }, { $gte: ['$starts_at', at] }],
});

/** @param of whether an event is to be counted, and counted as upcoming; `terms` limits the events to look at */
function cutAt(day: string, at: Date, sign: 1 | -1, of: { count?: object; upcoming?: object; terms?: object }): Cut {
  const first = `${monthOf(day)}-01`;
  // Dates and instants differ by less than two days.
  const near = { $gt: new Date(Date.parse(first) - 2 * DAY_MS), $lt: new Date(at.getTime() + 2 * DAY_MS) };
  const inMonth = { $cond: [{ $gte: ['$start_date', first] }, 1, 0] };
  const step = (isCounted?: object) =>
    isCounted ? { $multiply: [sign, { $subtract: [{ $cond: [isCounted, 1, 0] }, inMonth] }] } : 0;
  return {
    query: { starts_at: near, terms: of.terms },
    hint: of.terms ? 'by_term' : 'in_order',
    group: {
      _id: BY,
      count: { $sum: step(of.count) },
      ...eachSum((_, counter) => ({ $sum: { $multiply: [step(of.count), `$${counter}`] } })),
      upcoming: { $sum: step(of.upcoming) },
    },
  };
}

const eachEvent = (now: Date) => ({
  _id: BY,
  count: { $sum: 1 },
  ...eachSum((_, counter) => ({ $sum: `$${counter}` })),
  upcoming: sumIf({ $gt: ['$starts_at', now] }, 1),
});

const counterSums = (upcomingFrom: string) => ({
  _id: { status: '$status' },
  count: { $sum: '$count' },
  ...eachSum((name) => ({ $sum: `$${name}` })),
  upcoming: sumIf({ $gte: ['$month', upcomingFrom] }, '$count'),
  ...fromKeys(EVENT_TYPE_NAMES, (type) => ({ $sum: `$types.${type}` })),
});

const NONE = { count: 0, upcoming: 0, seats: 0, confirmed: 0, checked_in: 0 };

function addedUp(found: readonly Found[]): EventTally[] {
  const tallies = new Map<EventStatus, EventTally>();
  for (const { _id, upcoming, ...counts } of found) {
    const { status, event_type } = _id;
    const tally = tallies.get(status) ?? { ...NONE, status, types: {} };
    for (const name of ['count', ...SUMS] as const) tally[name] += counts[name];
    if (UPCOMING.includes(status)) tally.upcoming += upcoming;
    const types = event_type ? { [event_type]: counts.count } : pick(counts, EVENT_TYPE_NAMES);
    addTypes(tally.types, types);
    tallies.set(status, tally);
  }
  return [...tallies.values()];
}
