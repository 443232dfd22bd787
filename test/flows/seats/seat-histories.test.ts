import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Refused } from '../../../src/core/errors.ts';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { cancelMany, cancelRegistration, declineRegistration } from '../../../src/registrations/cancel.ts';
import { confirmRegistration } from '../../../src/registrations/confirm.ts';
import type { EventQueueDeps, EventQueues } from '../../../src/registrations/ports.ts';
import { register } from '../../../src/registrations/register.ts';
import { promoteWaiting } from '../../../src/registrations/seats/promote.ts';
import { emptyDatabaseUri } from '../../support/database.ts';
import { manager, openSeats, person, type Seats } from '../../support/seats.ts';
import { SeatModel } from './seat-model.ts';

type Step =
  | { do: 'register' | 'leave' | 'decline' | 'confirm'; who: string }
  | { do: 'leave_many'; whos: string[] }
  | { do: 'capacity'; seats: number }
  | { do: 'publish' | 'unpublish' };

const who = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('register' as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('leave' as const, 'decline' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('confirm' as const), who }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('leave_many' as const),
      whos: fc.uniqueArray(who, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('capacity' as const), seats: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('publish' as const, 'unpublish' as const) }) },
);
const history = fc.record({
  capacity: fc.integer({ min: 1, max: 3 }),
  approval: fc.boolean(),
  waitlist: fc.boolean(),
  // Long enough for a waitlist and someone who leaves.
  steps: fc.array(step, { minLength: 15, maxLength: 30, size: 'max' }),
});

type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

let seats: Seats;
beforeAll(async () => {
  seats = await openSeats(await emptyDatabaseUri());
});
afterAll(() => seats?.database.close());

/** A caller who sees drafts too. */
const editor = (user_id: string) => person(user_id, { permissions: ['events.view', 'events.update'] });

/** Runs a history on product and model and compares them after every step. */
async function play({ capacity, approval, waitlist, steps }: History, change: Partial<EventQueueDeps> = {}) {
  const eventQueues = seats.eventQueues(change);
  const model = new SeatModel(capacity, approval, waitlist);
  const event = await seats.given({
    max_attendees: capacity,
    requires_approval: approval,
    waitlist_enabled: waitlist,
  });
  const ids = new Map<string, string>();
  for (const one of steps) {
    const [actual, wanted] = await playStep(eventQueues, model, event.id, ids, one);
    expect(actual, JSON.stringify(one)).toEqual(wanted);
    await compare(model, event.id);
  }
}

async function playStep(
  eventQueues: EventQueues,
  model: SeatModel,
  event_id: string,
  ids: Map<string, string>,
  one: Step,
) {
  const deps = { ...seats, eventQueues };
  const idOf = (name: string) => ({ event_id, id: ids.get(name) ?? 'nobody' });
  const gone = (code: string) => (code === 'not_found' || code === 'registration_not_active' ? 'gone' : code);
  switch (one.do) {
    case 'register': {
      const event = await seats.eventOf(event_id);
      const actual = await answer(register(deps, editor(one.who), event, { kind: 'attendee' }), (done) => {
        ids.set(one.who, done.id);
        if (done.waitlist_position !== null) expect(done.waitlist_position).toBe(model.queue.length + 1);
        return done.status;
      });
      return [actual, model.register(one.who)];
    }
    case 'leave':
      return [gone(await answer(cancelRegistration(deps, editor(one.who), idOf(one.who)))), model.leave(one.who)];
    case 'decline':
      return [gone(await answer(declineRegistration(deps, manager, idOf(one.who)))), model.leave(one.who)];
    case 'confirm':
      return [gone(await answer(confirmRegistration(deps, manager, idOf(one.who)))), model.confirm(one.who)];
    case 'leave_many': {
      const active = one.whos.filter((name) => model.people.has(name)).length;
      const many = { event_id, ids: one.whos.map((name) => idOf(name).id) };
      const { cancelled } = await cancelMany(deps, manager, many);
      await promoteWaiting(seats, manager, event_id, 'many_cancelled');
      // All of them leave before the waitlist is promoted.
      for (const name of one.whos) model.people.delete(name);
      model.queue = model.queue.filter((name) => !one.whos.includes(name));
      model.fill();
      return [cancelled, active];
    }
    case 'capacity': {
      if (one.seats < model.taken) return ['', ''];
      await edit(event_id, { max_attendees: one.seats });
      model.capacity = one.seats;
      model.fill();
      return ['', ''];
    }
    case 'publish':
    case 'unpublish':
      await edit(event_id, { status: one.do === 'publish' ? 'published' : 'draft' });
      model.open = one.do === 'publish';
      model.fill();
      return ['', ''];
  }
}

/** Applies an edit or transition to the event, then runs the waitlist worker. */
async function edit(event_id: string, change: Partial<SchoolEvent>): Promise<void> {
  await seats.transact(async (tx) => {
    const event = await seats.events.find(manager, event_id, tx);
    if (!event) return;
    const after = { ...event, ...change, version: event.version + 1 };
    await seats.events.replaceMany([{ before: event, after }], tx);
  });
  await promoteWaiting(seats, manager, event_id, 'capacity_raised');
}

const answer = <T extends { status: string }>(
  asked: Promise<T>,
  read: (done: T) => string = (done) => done.status,
): Promise<string> =>
  asked.then(read, (error) => {
    if (error instanceof Refused) return error.refusal.code;
    throw error;
  });

async function compare(model: SeatModel, event_id: string): Promise<void> {
  const [event, rows] = [await seats.eventOf(event_id), await seats.rowsOf(event_id)];
  const active = rows.filter((row) => row.status !== 'cancelled');
  const waiting = active
    .filter((row) => row.status === 'waitlisted')
    .sort((a, b) => (a.waitlist_number ?? 0) - (b.waitlist_number ?? 0));
  expect({
    people: Object.fromEntries(active.map((row) => [row.user_id, row.status]).sort()),
    queue: waiting.map((row) => row.user_id),
    taken: event.current_attendees,
    waiting: event.waitlisted,
  }).toEqual({
    people: Object.fromEntries([...model.people].sort()),
    queue: model.queue,
    taken: model.taken,
    waiting: model.queue.length,
  });
}

const RUNS = Number(process.env.RUNS ?? 10);
/** A history mostly waits for commits, so that several can run at a time. */
const AT_A_TIME = 5;

const holds = <T>(cases: fc.Arbitrary<T>, check: (one: T) => Promise<void>, options: fc.Parameters<[T]>) =>
  fc.assert(fc.asyncProperty(cases, check), options);

test('any history of registrations ends as the specification says, step by step', async () => {
  const some = () => holds(history, (one) => play(one), { numRuns: Math.ceil(RUNS / AT_A_TIME) });
  await Promise.all(Array.from({ length: AT_A_TIME }, some));
});

/** Sends the same requests concurrently from two processes: the rules must hold in any order. */
const crowd = fc.record({ capacity: fc.integer({ min: 1, max: 4 }), people: fc.integer({ min: 5, max: 30 }) });

type Crowd = typeof crowd extends fc.Arbitrary<infer T> ? T : never;

async function storm({ capacity, people }: Crowd, change: Partial<EventQueueDeps> = {}): Promise<void> {
  const event = await seats.given({ max_attendees: capacity, waitlist_enabled: true });
  const processes = [seats.eventQueues(change), seats.eventQueues(change)];
  const sign = async (n: number) => {
    const eventQueues = processes[n % 2] as EventQueues;
    const one = person(`p${n}`);
    const done = await register({ ...seats, eventQueues }, one, event, { kind: 'attendee' });
    // Every third person cancels immediately.
    if (n % 3 === 0) await cancelRegistration({ eventQueues }, one, { event_id: event.id, id: done.id });
  };
  await Promise.all(Array.from({ length: people }, (_, n) => sign(n)));
  const rows = await seats.rowsOf(event.id);
  const { current_attendees, waitlisted } = await seats.eventOf(event.id);
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  const staying = people - Math.ceil(people / 3);
  expect({ taken: current_attendees, waiting: waitlisted }).toEqual({
    taken: count('confirmed'),
    waiting: count('waitlisted'),
  });
  expect(count('confirmed')).toBe(Math.min(capacity, staying));
  expect(count('waitlisted')).toBe(Math.max(0, staying - capacity));
  const numbers = rows.flatMap((row) => row.waitlist_number ?? []).sort((a, b) => a - b);
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
  // No waiting person has a smaller number than a promoted one.
  const moved = rows.filter((row) => row.promoted_because).map((row) => row.waitlist_number ?? 0);
  const waits = rows.filter((row) => row.status === 'waitlisted').map((row) => row.waitlist_number ?? 0);
  if (moved.length > 0 && waits.length > 0) expect(Math.max(...moved)).toBeLessThan(Math.min(...waits));
}

test('a crowd that registers and cancels through two processes gets no seat twice and is promoted in order', async () => {
  await holds(crowd, (one) => storm(one), { numRuns: RUNS });
});

describe('with a planted defect', () => {
  /** It ends at the first fault, which on a busy machine takes more crowds than usual. */
  const expectFault = <T>(cases: fc.Arbitrary<T>, check: (one: T) => Promise<void>) =>
    expect(holds(cases, check, { numRuns: 100, endOnFailure: true, seed: 7 })).rejects.toThrow(/Property failed/);

  test('a crowd gets a seat twice if the event’s row is neither held nor its version looked at', async () => {
    const events: EventQueueDeps['events'] = {
      ...seats.events,
      lock: async (scope, id) => seats.events.find(scope, id),
      replaceMany: async ([change], tx) => {
        const now = change && (await seats.events.find(change.after, change.after.id, tx));
        return now ? seats.events.replaceMany([{ before: now, after: change.after }], tx) : false;
      },
    };
    await expectFault(crowd, (one) => storm(one, { events }));
  });

  test('a crowd is promoted out of order if the waitlist is given on from its tail', async () => {
    const firstWaiting: EventQueueDeps['registrations']['findFirstWaiting'] = async (scope, event_id, most) =>
      (await seats.registrations.findFirstWaiting(scope, event_id, 1_000)).reverse().slice(0, most);
    await expectFault(crowd, (one) =>
      storm(one, { registrations: { ...seats.registrations, findFirstWaiting: firstWaiting } }),
    );
  });

  test('a history ends otherwise than specified if the waitlist is given on to no one', async () => {
    const registrations = { ...seats.registrations, findFirstWaiting: async () => [] };
    await expectFault(history, (one) => play(one, { registrations }));
  });
});
