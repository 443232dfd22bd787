import type { DemoPerson } from '../school/demo-person.ts';
import { audienceOf } from './audience.ts';
import type { Channel, Entry, EventAnswer } from './journal.ts';

export type Trigger =
  | 'event.published'
  | 'event.postponed'
  | 'event.cancelled'
  | 'registration.confirmed'
  | 'reminder.due';

/** A reason to notify people. */
export type Occasion = {
  trigger: Trigger;
  event: EventAnswer;
  channels: readonly Channel[];
  /** ids of the people to notify */
  people: readonly string[];
  /** ids of the people who are not notified, by reason */
  others: Partial<Record<NotConcerned, readonly string[]>>;
  since: number;
  /** from then on it is no longer true; null: still true */
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
type EventHistory = { event: EventAnswer; publishedAt: number | null; seats: Seat[]; occasions: Occasion[] };

/**
 * Derives from the journal and the directory who must be notified of what: the rules of docs/decisions.md, implemented a
 * second time on purpose, without the product's code.
 * @param now reminders due until then are included
 */
export function occasionsOf(journal: readonly Entry[], people: readonly DemoPerson[], now: number): Occasion[] {
  const histories = new Map<string, EventHistory>();
  for (const entry of journal) {
    const id = 'event' in entry ? entry.event.id : entry.event_id;
    const history = histories.get(id) ?? { event: null as never, publishedAt: null, seats: [], occasions: [] };
    histories.set(id, history);
    applyEntry(history, entry, people);
  }
  const all = [...histories.values()].flatMap((history) => {
    addReminders(history, people, now);
    return history.occasions;
  });
  return all.sort((a, b) => a.since - b.since);
}

function applyEntry(history: EventHistory, entry: Entry, people: readonly DemoPerson[]): void {
  const { at } = entry;
  switch (entry.kind) {
    case 'published':
      Object.assign(history, { event: entry.event, publishedAt: at });
      addOccasion(history, 'event.published', at, audienceOf(entry.event, people));
      return;
    case 'postponed':
    case 'cancelled': {
      addReminders(history, people, at);
      for (const earlier of history.occasions) earlier.until ??= at;
      Object.assign(history, { event: entry.event, publishedAt: null });
      const active = history.seats.filter(({ left }) => left === null).map(({ user_id }) => user_id);
      addOccasion(history, `event.${entry.kind}`, at, { people: active, others: othersThan(active, history, people) });
      return;
    }
    case 'registered': {
      const seat: Seat = { id: entry.id, user_id: entry.user_id, confirmed: null, left: null };
      history.seats.push(seat);
      if (entry.status === 'confirmed') confirm(history, seat, at);
      return;
    }
    case 'left': {
      const seat = history.seats.find(({ id }) => id === entry.id);
      if (!seat) return;
      seat.left = at;
      const first = history.seats.find(({ confirmed, left }) => confirmed === null && left === null);
      if (seat.confirmed !== null && history.publishedAt !== null && first) confirm(history, first, at);
    }
  }
}

function confirm(history: EventHistory, seat: Seat, at: number): void {
  seat.confirmed = at;
  addOccasion(history, 'registration.confirmed', at, { people: [seat.user_id], others: {} });
}

function addOccasion(
  { event, occasions }: EventHistory,
  trigger: Trigger,
  since: number,
  whom: Pick<Occasion, 'people' | 'others'>,
  channels = CHANNELS_OF[trigger as keyof typeof CHANNELS_OF],
): void {
  occasions.push({ trigger, event, channels, ...whom, since, until: null });
}

/** Adds reminders that fell due while the event was published. */
function addReminders(history: EventHistory, people: readonly DemoPerson[], now: number): void {
  const { event, publishedAt, seats } = history;
  if (publishedAt === null) return;
  for (const { type, offset } of event.reminders) {
    const due = Date.parse(event.starts_at) - offset * 60_000;
    if (due <= publishedAt || due > now) continue;
    const there = seats.filter(({ confirmed, left }) => isBy(confirmed, due) && !isBy(left, due));
    const concerned = there.map(({ user_id }) => user_id);
    addOccasion(history, 'reminder.due', due, { people: concerned, others: othersThan(concerned, history, people) }, [
      type,
    ]);
  }
}

const isBy = (at: number | null, moment: number): boolean => at !== null && at <= moment;

function othersThan(
  concerned: readonly string[],
  { seats }: EventHistory,
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
