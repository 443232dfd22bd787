import { DateTime } from 'luxon';
import { type Addressed, isInClassAndGrade, rolesOfAudience } from '../../people/audience.ts';
import { type DemoPerson, idOf } from './demo-person.ts';
import { DEMO_SCHOOL } from './demo-school.ts';
import { type Signed, TERM, type TermEvent } from './term-events.ts';

/** One report of `POST /ingest`; `registrations` only in the first report of an event. */
type TermReport = { id: string; type: string; occurred_at: string; event: object; registrations?: object[] };

const HEAD_TEACHER = 'Alena Horáková';
/** How long before the start an event was published. */
const NOTICE_DAYS = 21;
const NOTES = ['Přijdeme o deset minut později.', 'Alergie na ořechy.', 'Prosíme o bezmasé jídlo.'];
const KINDS: Record<string, string> = {
  cultural: 'performer',
  seminar: 'speaker',
  fundraiser: 'volunteer',
  parent_event: 'volunteer',
};

/**
 * The term as the school's previous system would report it: the result of every event, and the registrations.
 * @param origin address of the client, which serves the pictures
 */
export function termReports(directory: readonly DemoPerson[], origin: string, now: DateTime): TermReport[] {
  return TERM.flatMap((row, number) => reportsOf(row, number, directory, origin, now));
}

function reportsOf(
  [day, time, length, event_type, status, title, extras = {}, signed = {}]: TermEvent,
  number: number,
  directory: readonly DemoPerson[],
  origin: string,
  now: DateTime,
): TermReport[] {
  const { by = HEAD_TEACHER, closes, banner, reason, from, ...fields } = extras;
  const schedule = scheduleOf(day, time, length, now);
  const published = DateTime.min(schedule.start.minus({ days: NOTICE_DAYS }).set({ hour: 9 }), now.minus({ days: 2 }));
  const ended = DateTime.min(schedule.end, now.minus({ minutes: 30 }));
  const event = {
    id: `term-${number}`,
    title,
    event_type,
    ...schedule.fields,
    organizer_id: idOf(by),
    organizer: { type: 'staff', name: by, email: `${idOf(by).replaceAll('-', '.')}@people.example` },
    ...fields,
    ...(closes === undefined ? {} : { registration_deadline: deadlineOf(schedule.start, closes) }),
    ...(banner === undefined ? {} : { banner_url: `${origin}/banners/${banner}.svg` }),
  };
  const report = (version: number, type: string, at: DateTime, more: object): TermReport => ({
    id: `${event.id}-${version}`,
    type,
    occurred_at: instantOf(at),
    event: { ...event, version, ...more },
  });
  const registrations = registrationsOf(event, signed, directory, number, published, schedule.start);
  const first = (type: string, at: DateTime, more: object) => ({ ...report(1, type, at, more), registrations });
  switch (status) {
    case 'draft':
      return [first('event.created', now.minus({ days: 3 }), { status })];
    case 'scheduled':
      return [
        first('event.scheduled', now.minus({ days: 3 }), {
          status,
          publish_at: instantOf(schedule.start.minus({ days: 14 })),
        }),
      ];
    case 'published':
      return [first('event.published', published, { status })];
    case 'in_progress':
      return [first('event.started', schedule.start, { status, published_at: instantOf(published) })];
    case 'completed':
      return [first('event.completed', ended, { status, published_at: instantOf(published) })];
    case 'cancelled':
      return [
        first('event.published', published, { status: 'published' }),
        report(2, 'event.cancelled', DateTime.min(schedule.start.minus({ days: 1 }), now.minus({ hours: 3 })), {
          status,
          cancellation_reason: reason,
        }),
      ];
    case 'postponed': {
      const before = scheduleOf(from ?? day, time, length, now);
      return [
        first('event.published', published, { status: 'published', ...before.fields }),
        report(2, 'event.postponed', now.minus({ hours: 5 }), {
          status,
          postponement_reason: reason,
          postponed_to: from === undefined ? null : instantOf(schedule.start),
        }),
      ];
    }
  }
}

function scheduleOf(day: number, time: string | number | null, length: number, now: DateTime) {
  const clockTime = `${schoolDay(now, day).toISODate()}T${time ?? '00:00'}`;
  const start =
    typeof time === 'number' ? now.plus({ minutes: time }) : DateTime.fromISO(clockTime, { zone: now.zone });
  const end = time === null ? start.plus({ days: length }) : start.plus({ minutes: length });
  const [start_date, end_date] = [start, time === null ? end.minus({ days: 1 }) : end].map((one) => one.toISODate());
  const clock =
    time === null ? { all_day: true } : { start_time: start.toFormat('HH:mm'), end_time: end.toFormat('HH:mm') };
  return { start, end, fields: { start_date, end_date, ...clock } };
}

/** The n-th day from today that is not on a weekend; before today if n is negative. */
export function schoolDay(now: DateTime, n: number): DateTime {
  let day = now.startOf('day');
  for (let left = Math.abs(n); left > 0; ) {
    day = day.plus({ days: Math.sign(n) });
    if (day.weekday <= 5) left -= 1;
  }
  return day;
}

/** The registrations in their order, of people of the audience. Each event begins its list with another person. */
function registrationsOf(
  event: { id: string; event_type: string } & Partial<Aimed>,
  { came = 0, ...signed }: Signed,
  directory: readonly DemoPerson[],
  number: number,
  published: DateTime,
  start: DateTime,
): object[] {
  const people = directory
    .filter((person) => !person.roles.includes('external') && isFor(person, directory, event))
    .map(({ user_id }) => user_id);
  const first = people.length === 0 ? 0 : (number * 7) % people.length;
  const statuses = (['confirmed', 'pending', 'cancelled', 'waitlisted'] as const).flatMap((status) =>
    Array<string>(signed[status] ?? 0).fill(status),
  );
  return [...people.slice(first), ...people.slice(0, first)].slice(0, statuses.length).map((user_id, i) => ({
    id: `${event.id}-${user_id}`,
    user_id,
    kind: i % 6 === 5 ? (KINDS[event.event_type] ?? 'attendee') : 'attendee',
    status: statuses[i],
    notes: i % 5 === 2 ? NOTES[(number + i) % NOTES.length] : null,
    // From 7 in the morning after the publication, when people are awake.
    created_at: instantOf(published.startOf('day').plus({ days: 1, hours: 7, minutes: 25 * i })),
    ...(statuses[i] === 'cancelled' ? { cancel_reason: 'Nemoc' } : {}),
    ...(i < came ? { checked_in_at: instantOf(start.plus({ minutes: i - 15 })) } : {}),
  }));
}

type Aimed = Pick<Addressed, 'target_audience' | 'class_id' | 'grade_level_ids'>;

/** Whether an event is for this person or for a child of theirs. */
function isFor(
  person: DemoPerson,
  directory: readonly DemoPerson[],
  { target_audience = ['all'], class_id = null, grade_level_ids = [] }: Partial<Aimed>,
): boolean {
  const roles = rolesOfAudience({ target_audience });
  const family = [person, ...directory.filter(({ guardians }) => guardians.includes(person.user_id))];
  return (
    (!roles || person.roles.some((role) => roles.includes(role))) &&
    family.some((one) => isInClassAndGrade(one, { class_id, grade_level_ids }))
  );
}

const deadlineOf = (start: DateTime, days: number): string =>
  instantOf(start.startOf('day').minus({ days }).set({ hour: 18 }));

const instantOf = (moment: DateTime): string => moment.toJSDate().toISOString();

export const schoolNow = (): DateTime => DateTime.now().setZone(DEMO_SCHOOL.timezone).startOf('minute');
