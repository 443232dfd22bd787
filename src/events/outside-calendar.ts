import { type Static, type TObject, Type } from 'typebox';
import type { Clock } from '../core/clock.ts';
import { invalidField } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { checkAddress } from '../core/public-address.ts';
import { nullable, oneOf, stampOrNull } from '../core/schema.ts';
import { type Caller, type Scope, scopeOf } from '../people/caller.ts';
import { checkMost } from '../people/named-records.ts';
import type { SchoolStore } from '../people/school.ts';
import type { SchoolEvent } from './event.ts';

/** One entry of an outside calendar, on the wall clock of the school. */
export type OutsideEntry = Pick<
  SchoolEvent,
  'title' | 'all_day' | 'start_date' | 'end_date' | 'start_time' | 'end_time' | 'starts_at' | 'ends_at'
>;

/** A calendar elsewhere, such as that of the town hall or the timetable of the gym, that a school subscribes to as ICS. */
export const OUTSIDE_CALENDAR = {
  id: Type.String(),
  name: Type.String({ description: 'The name that clashes are shown with.' }),
  url: Type.String({ description: 'The https address of the calendar.' }),
  read_at: { ...stampOrNull, description: 'When it was last read. Null: not yet.' },
  problem: nullable(
    oneOf(['unreachable', 'refused', 'private_address', 'too_large', 'not_a_calendar', 'entries_left_out'], {
      description:
        'Why it could not be read the last time. `private_address`: it is not on the internet. `refused`: the server answered ' +
        'with an error. `too_large`: over 3 MB or 5,000 entries, or reading it takes over five seconds. `entries_left_out`: it was ' +
        'read, without its faulty entries.',
    }),
  ),
};

export type OutsideCalendar = Scope &
  Static<TObject<typeof OUTSIDE_CALENDAR>> & {
    /** the zone of the school when it was added, for entries without a zone */
    timezone: string;
    /** when it is read next */
    due_at: Date;
  };

export type CalendarProblem = NonNullable<OutsideCalendar['problem']>;

/** The result of reading a calendar; without entries if it could not be read. */
export type CalendarReading = { entries?: OutsideEntry[]; problem: CalendarProblem | null };

/** Reads a calendar at a public address. Never rejects. */
export type ReadCalendar = (calendar: Pick<OutsideCalendar, 'url' | 'timezone'>) => Promise<CalendarReading>;

export type OutsideCalendarStore = {
  /** All calendars of a school, by name, without their entries. */
  list(scope: Scope): Promise<OutsideCalendar[]>;
  insert(calendar: OutsideCalendar): Promise<void>;
  /** @returns false if there is no such calendar */
  remove(scope: Scope, id: string): Promise<boolean>;
  /** The entries that take place, at least in part, in this time, each with the name of its calendar. */
  findEntries(scope: Scope, from: Date, until: Date): Promise<(OutsideEntry & { calendar: string })[]>;
  /** Takes a calendar of any school that is due, and makes it due again at `next`; null: none is due. */
  takeDue(now: Date, next: Date): Promise<OutsideCalendar | null>;
  /** Records the problem, and replaces the entries unless the calendar could not be read. */
  record(id: string, reading: CalendarReading, now: Date): Promise<void>;
};

const MOST = 10;
const EVERY_MS = 3_600_000;

type Deps = { clock: Clock; outsideCalendars: OutsideCalendarStore; schools: Pick<SchoolStore, 'find'> };

/** The address in one form: some differ only in the case of the host, or in a fragment, which no server sees. */
function oneFormOf(address: string): string {
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

/**
 * Subscribes the school to a calendar; the clock worker reads it soon and then every hour.
 * @param url an https address, or webcal, which stands for it
 * @throws Refused `validation_failed` if it is another address, has a password, or the school has it or the most already
 */
export async function addOutsideCalendar(
  { clock, outsideCalendars, schools }: Deps,
  caller: Caller,
  { name, url }: Pick<OutsideCalendar, 'name' | 'url'>,
): Promise<OutsideCalendar> {
  const scope = scopeOf(caller);
  const given = url.replace(/^webcal:/i, 'https:');
  checkAddress(given);
  const address = oneFormOf(given);
  const known = await outsideCalendars.list(scope);
  if (known.some((one) => oneFormOf(one.url) === address))
    throw invalidField('/url', 'must be another address: the school has this calendar already', 'added_already');
  checkMost(known, { most: MOST, noun: 'outside calendars' }, '/url');
  const { timezone } = await schools.find(scope);
  const calendar: OutsideCalendar = {
    ...scope,
    id: newId(),
    name,
    url: address,
    timezone,
    due_at: clock.now(),
    read_at: null,
    problem: null,
  };
  await outsideCalendars.insert(calendar);
  return calendar;
}

/**
 * Reads the calendars that are due, one after another. Any number of processes may run it: each calendar is taken by one,
 * and one that a killed process took is read an hour later.
 * @returns how many were read, and the problems by calendar id
 */
export async function readDueCalendars(
  { clock, outsideCalendars }: Pick<Deps, 'clock' | 'outsideCalendars'>,
  read: ReadCalendar,
  signal: AbortSignal,
): Promise<{ id: string; problem: CalendarProblem | null }[]> {
  const done: { id: string; problem: CalendarProblem | null }[] = [];
  while (!signal.aborted) {
    const now = clock.now();
    const calendar = await outsideCalendars.takeDue(now, new Date(now.getTime() + EVERY_MS));
    if (!calendar) break;
    const reading = await read(calendar);
    await outsideCalendars.record(calendar.id, reading, clock.now());
    done.push({ id: calendar.id, problem: reading.problem });
  }
  return done;
}
