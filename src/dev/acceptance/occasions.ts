import type { DemoPerson } from '../school/demo-person.ts';
import { audienceOf } from './audience.ts';
import type { Channel, Entry, EventAnswer } from './journal.ts';

export type Trigger =
  | 'event.published'
  | 'event.postponed'
  | 'event.cancelled'
  | 'registration.confirmed'
  | 'reminder.due';

/** Something people are to be told of. */
export type Occasion = {
  trigger: Trigger;
  event: EventAnswer;
  channels: readonly Channel[];
  /** ids of those it concerns */
  people: readonly string[];
  /** ids of those it doesn't concern though they might think so, by why */
  others: Partial<Record<NotConcerned, readonly string[]>>;
  since: number;
  /** from then on it isn't true any more; null: it still is */
  until: number | null;
};

export type NotConcerned = 'not_in_audience' | 'not_visible' | 'not_registered' | 'left' | 'waiting';

const CHANNELS_OF: Record<Exclude<Trigger, 'reminder.due'>, readonly Channel[]> = {
  'event.published': ['email', 'push', 'in_app'],
  'event.postponed': ['email', 'sms', 'push', 'in_app'],
  'event.cancelled': ['email', 'sms', 'push', 'in_app'],
  'registration.confirmed': ['email', 'in_app'],
};

type Seat = { id: string; user_id: string; confirmed: number | null; left: number | null };
type Course = { event: EventAnswer; publishedAt: number | null; seats: Seat[]; told: Occasion[] };

/**
 * Who is to be told of what, worked out from what the API acknowledged and the directory: the rules of decisions.md
 * written down a second time, on purpose, and without a line of the product's code.
 * @param now reminders due until then are among them
 */
export function occasionsOf(journal: readonly Entry[], people: readonly DemoPerson[], now: number): Occasion[] {
  const courses = new Map<string, Course>();
  for (const entry of journal) {
    const id = 'event' in entry ? entry.event.id : entry.event_id;
    const course = courses.get(id) ?? { event: null as never, publishedAt: null, seats: [], told: [] };
    courses.set(id, course);
    follow(course, entry, people);
  }
  const all = [...courses.values()].flatMap((course) => {
    addReminders(course, people, now);
    return course.told;
  });
  return all.sort((a, b) => a.since - b.since);
}

function follow(course: Course, entry: Entry, people: readonly DemoPerson[]): void {
  const { at } = entry;
  switch (entry.kind) {
    case 'published':
      Object.assign(course, { event: entry.event, publishedAt: at });
      tell(course, 'event.published', at, audienceOf(entry.event, people));
      return;
    case 'postponed':
    case 'cancelled': {
      addReminders(course, people, at);
      for (const earlier of course.told) earlier.until ??= at;
      Object.assign(course, { event: entry.event, publishedAt: null });
      const active = course.seats.filter(({ left }) => left === null).map(({ user_id }) => user_id);
      tell(course, `event.${entry.kind}`, at, { people: active, others: othersThan(active, course, people) });
      return;
    }
    case 'registered': {
      const seat: Seat = { id: entry.id, user_id: entry.user_id, confirmed: null, left: null };
      course.seats.push(seat);
      if (entry.status === 'confirmed') confirm(course, seat, at);
      return;
    }
    case 'left': {
      const seat = course.seats.find(({ id }) => id === entry.id);
      if (!seat) return;
      seat.left = at;
      const first = course.seats.find(({ confirmed, left }) => confirmed === null && left === null);
      if (seat.confirmed !== null && course.publishedAt !== null && first) confirm(course, first, at);
    }
  }
}

function confirm(course: Course, seat: Seat, at: number): void {
  seat.confirmed = at;
  tell(course, 'registration.confirmed', at, { people: [seat.user_id], others: {} });
}

function tell(
  { event, told }: Course,
  trigger: Trigger,
  since: number,
  whom: Pick<Occasion, 'people' | 'others'>,
  channels = CHANNELS_OF[trigger as keyof typeof CHANNELS_OF],
): void {
  told.push({ trigger, event, channels, ...whom, since, until: null });
}

/** Those that fell due while the event was published, and not before it was. */
function addReminders(course: Course, people: readonly DemoPerson[], now: number): void {
  const { event, publishedAt, seats } = course;
  if (publishedAt === null) return;
  for (const { type, offset } of event.reminders) {
    const due = Date.parse(event.starts_at) - offset * 60_000;
    if (due <= publishedAt || due > now) continue;
    const there = seats.filter(({ confirmed, left }) => isBy(confirmed, due) && !isBy(left, due));
    const concerned = there.map(({ user_id }) => user_id);
    tell(course, 'reminder.due', due, { people: concerned, others: othersThan(concerned, course, people) }, [type]);
  }
}

const isBy = (at: number | null, moment: number): boolean => at !== null && at <= moment;

function othersThan(
  concerned: readonly string[],
  { seats }: Course,
  people: readonly DemoPerson[],
): Occasion['others'] {
  const left = seats.filter(({ left, user_id }) => left !== null && !concerned.includes(user_id));
  const waiting = seats.filter(({ left, user_id }) => left === null && !concerned.includes(user_id));
  const known = [...concerned, ...left.map(({ user_id }) => user_id), ...waiting.map(({ user_id }) => user_id)];
  return {
    left: left.map(({ user_id }) => user_id),
    waiting: waiting.map(({ user_id }) => user_id),
    not_registered: people.map(({ user_id }) => user_id).filter((id) => !known.includes(id)),
  };
}
