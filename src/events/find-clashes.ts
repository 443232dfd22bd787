import { type Static, type TObject, Type } from 'typebox';
import { fromKeys, pick } from '../core/objects.ts';
import { described, listOf, oneOf, stringOrNull } from '../core/schema.ts';
import { addDays, type Days, daysOf } from '../core/zoned-time.ts';
import type { Schedule } from '../outbox/fact.ts';
import type { Caller } from '../people/caller.ts';
import type { Break } from '../people/preferences.ts';
import { maySee, SEEN_FIELDS } from '../people/visibility.ts';
import { everyEvent } from '../people/visible-events.ts';
import type { SchoolEvent } from './event.ts';
import { EVENT_FIELDS } from './event-fields.ts';
import type { OutsideCalendarStore } from './outside-calendar.ts';
import type { ReadingDeps } from './ports.ts';
import {
  type Booking,
  CLASH_FIELDS,
  during,
  type FreeTime,
  freeTimes,
  SEARCHED_DAYS,
  SHARED,
  type Shared,
  sharedBy,
  spanOf,
} from './rules/clashes.ts';
import { SCHEDULE_FIELDS, scheduleOf } from './rules/schedule.ts';

/** The other events, holidays and entries of outside calendars with which an event clashes. */
export const CLASHES = {
  clashes: listOf('In the order of the checked events. They are advice: a clash blocks nothing.', {
    of: described('The checked event, or the date of its series.', { id: Type.String(), start_date: Type.String() }),
    event_id: stringOrNull('The other event. Null for holidays, outside calendars, and an event you can’t see.'),
    calendar: stringOrNull('The name of the outside calendar. Null for anything else.'),
    title: stringOrNull(
      'The title of the other event or entry, or the name of the holidays. Null for an event you can’t see.',
    ),
    ...pick(EVENT_FIELDS, SCHEDULE_FIELDS),
    shared: Type.Array(oneOf(SHARED), {
      description: 'What both need. `grade`: one of them is for the whole grade. `holiday`: the school is closed.',
    }),
  }),
  checked: Type.Integer({
    description: 'How many events were checked: of a series, at most the first 60 dates that have not ended.',
  }),
  free_times: listOf(
    'Up to three times near the first event without a clash, in its time zone. Empty if it clashes with nothing.',
    fromKeys(['start_date', 'start_time', 'end_date', 'end_time'], () => Type.String()),
  ),
};

type Clashes = Static<TObject<typeof CLASHES>>;
type Clash = Clashes['clashes'][number];

type ClashDeps = ReadingDeps & { outsideCalendars: Pick<OutsideCalendarStore, 'findEntries'> };

/** Each date is a query of its own, so that those of a series don't read all events of a year. */
const CHECKED_MAX = 60;
/** How many other events at the time of one event are compared with it at most. */
const READ_MAX = 1_000;

const FIELDS = [...new Set([...CLASH_FIELDS, ...SEEN_FIELDS, 'title'] as const)];
type Found = Pick<SchoolEvent, (typeof FIELDS)[number]>;

/**
 * Finds what else takes place at the time of these events and needs the same room, class, grade or organizer, holidays, and
 * entries of outside calendars.
 * Advice only: nothing is blocked. An event that the caller may not see is given without its title. Reads only.
 * @param events the event and the dates of its series, as they are or would be
 */
export async function findClashes(deps: ClashDeps, caller: Caller, events: readonly SchoolEvent[]): Promise<Clashes> {
  const now = deps.clock.now();
  const coming = events.filter(({ ends_at }) => ends_at > now);
  const checked = coming.sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime()).slice(0, CHECKED_MAX);
  const { term_calendar } = await deps.schools.find(caller);
  const outside = await loadOutside(deps, caller, checked.map(spanOf));
  const found = await Promise.all(
    checked.map(async (event) => {
      const span = spanOf(event);
      const others = await loadDuring(deps, caller, span);
      return [
        ...holidaysDuring(event, term_calendar),
        ...others.flatMap((other) => clashOf(event, other, caller)),
        ...outside
          .filter(({ starts_at, ends_at }) => starts_at < span.until && ends_at > span.from)
          .map((entry) => outsideClash(event, entry)),
      ];
    }),
  );
  const [first] = checked;
  return {
    clashes: found.flat(),
    checked: checked.length,
    free_times: first && (found[0] ?? []).length > 0 ? await findFreeTimes(deps, caller, first, term_calendar) : [],
  };
}

async function loadDuring(deps: ReadingDeps, caller: Caller, span: Days): Promise<Found[]> {
  const page = { limit: READ_MAX };
  const { events } = await deps.eventReader.findPage(everyEvent(caller), [during(span)], FIELDS, page);
  return events;
}

/** A clash of an event with something that is not an event which the caller may see. */
const clashWith = ({ id, start_date }: Booking, other: Schedule, shared: Shared[], title: string | null): Clash => ({
  of: { id, start_date },
  event_id: null,
  calendar: null,
  title,
  ...scheduleOf(other),
  shared,
});

function clashOf(event: Booking, other: Found, caller: Caller): Clash[] {
  const shared = sharedBy(event, other);
  if (shared.length === 0) return [];
  const clash = clashWith(event, other, shared, null);
  return [maySee(caller, other) ? { ...clash, event_id: other.id, title: other.title } : clash];
}

function holidaysDuring(event: Booking, holidays: readonly Break[]): Clash[] {
  if (event.event_type === 'holiday') return [];
  return holidays
    .filter(({ start_date, end_date }) => start_date <= event.end_date && end_date >= event.start_date)
    .map(({ name, start_date, end_date }) => {
      const times = { all_day: true, start_date, end_date, start_time: null, end_time: null, timezone: event.timezone };
      return clashWith(event, times, ['holiday'], name);
    });
}

type Outside = Awaited<ReturnType<OutsideCalendarStore['findEntries']>>[number];

/** The entries of outside calendars from the start of the first span to the end of the last one. */
async function loadOutside(
  { outsideCalendars }: ClashDeps,
  caller: Caller,
  spans: readonly Days[],
): Promise<Outside[]> {
  if (spans.length === 0) return [];
  const times = spans.flatMap(({ from, until }) => [from.getTime(), until.getTime()]);
  return outsideCalendars.findEntries(caller, new Date(Math.min(...times)), new Date(Math.max(...times)));
}

const outsideClash = (event: Booking, { calendar, title, ...entry }: Outside): Clash => ({
  ...clashWith(event, { ...entry, timezone: event.timezone }, ['calendar'], title),
  calendar,
});

async function findFreeTimes(
  deps: ClashDeps,
  caller: Caller,
  event: Booking,
  holidays: readonly Break[],
): Promise<FreeTime[]> {
  const zone = event.timezone;
  const searched = daysOf(event.start_date, addDays(event.start_date, SEARCHED_DAYS), zone);
  const [others, outside] = await Promise.all([
    loadDuring(deps, caller, searched),
    loadOutside(deps, caller, [searched]),
  ]);
  const taken = [
    ...others.filter((other) => sharedBy(event, other).length > 0).map(spanOf),
    ...holidays.map(({ start_date, end_date }) => daysOf(start_date, end_date, zone)),
    ...outside.map((entry) => ({ ...searched, from: entry.starts_at, until: entry.ends_at })),
  ];
  return freeTimes(event, taken, deps.clock.now());
}
