import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refused } from '../../../src/core/errors.ts';
import { cancelMany, cancelRegistration, declineRegistration } from '../../../src/registrations/cancel.ts';
import { confirmRegistration } from '../../../src/registrations/confirm.ts';
import type { EventQueues } from '../../../src/registrations/ports.ts';
import { registerFamily } from '../../../src/registrations/register.ts';
import { takesSeat } from '../../../src/registrations/registration.ts';
import { promoteWaiting } from '../../../src/registrations/seats/promote.ts';
import { emptyDatabaseUri } from '../../support/database.ts';
import { manager, openSeats, person, type Seats } from '../../support/seats.ts';

const { RUNS = '10', SEED } = process.env;

let seats: Seats;
beforeAll(async () => {
  seats = await openSeats(await emptyDatabaseUri());
});
afterAll(() => seats?.database.close());

/** A family registers its members, and each of them may leave, be declined or confirmed as soon as the answer is there. */
const family = fc.record({
  size: fc.integer({ min: 1, max: 4 }),
  together: fc.boolean(),
  fates: fc.array(fc.constantFrom('stays', 'leaves', 'is declined', 'is confirmed', 'leaves with all'), {
    minLength: 4,
    maxLength: 4,
  }),
});
const crowd = fc.record({
  capacity: fc.integer({ min: 1, max: 6 }),
  more: fc.integer({ min: 0, max: 5 }),
  requires_approval: fc.boolean(),
  waitlist_enabled: fc.boolean(),
  families: fc.array(family, { minLength: 3, maxLength: 12 }),
});
type Crowd = typeof crowd extends fc.Arbitrary<infer T> ? T : never;

/** The code of a refusal, which a crowd may well get; other errors are faults. */
const refusalOf = (error: unknown): string => {
  if (error instanceof Refused) return error.refusal.code;
  throw error;
};

async function storm({ capacity, more, families, ...settings }: Crowd): Promise<void> {
  const event = await seats.given({ max_attendees: capacity, ...settings });
  const processes = [seats.eventQueues(), seats.eventQueues()] as const;
  const refused = new Set<string | null>();
  const act = async ({ size, together, fates }: Crowd['families'][number], n: number) => {
    const eventQueues = processes[n % 2] as EventQueues;
    const names = Array.from({ length: size }, (_, i) => `f${n}-${i}`);
    const guardian = person(`guardian-${n}`, { roles: ['parent'], children: names });
    const people = names.map((user_id) => ({ user_id, kind: 'attendee' as const }));
    const results = await registerFamily({ ...seats, eventQueues }, guardian, event, { people, together }).catch(
      (error) => void expect(refusalOf(error)).toBe('event_full'),
    );
    if (!results) return void refused.add(guardian.user_id);
    const registered = results.flatMap((one) => one.registration ?? []);
    if (together) expect(new Set(registered.map(({ status }) => status)).size).toBe(1);
    if (together) expect(registered).toHaveLength(size);
    await Promise.all(
      registered.map(async ({ id }, i) => {
        const input = { event_id: event.id, id };
        const deps = { ...seats, eventQueues };
        if (fates[i] === 'leaves') await cancelRegistration(deps, guardian, input).catch(refusalOf);
        if (fates[i] === 'is declined') await declineRegistration(deps, manager, input).catch(refusalOf);
        if (fates[i] === 'is confirmed') await confirmRegistration(deps, manager, input).catch(refusalOf);
        if (fates[i] === 'leaves with all')
          await cancelMany(deps, manager, { event_id: event.id, ids: registered.map((row) => row.id) });
      }),
    );
  };
  const raise = async () => {
    for (let tries = 0; more > 0 && tries < 50; tries += 1) {
      const done = await seats
        .transact(async (tx) => {
          const before = await seats.events.find(manager, event.id, tx);
          if (!before) return false;
          const after = { ...before, max_attendees: capacity + more, version: before.version + 1 };
          return seats.events.replaceMany([{ before, after }], tx);
        })
        .catch(() => false);
      if (done) break;
    }
    await promoteWaiting(seats, manager, event.id, 'capacity_raised');
  };
  await Promise.all([...families.map(act), raise()]);
  await promoteWaiting(seats, manager, event.id, 'many_cancelled');
  const rows = await seats.rowsOf(event.id);
  expect(rows.filter(({ registered_by }) => refused.has(registered_by))).toEqual([]);
  const now = await seats.eventOf(event.id);
  const count = (isCounted: (status: (typeof rows)[0]['status']) => boolean) =>
    rows.filter(({ status }) => isCounted(status)).length;
  const taken = count(takesSeat);
  const waiting = count((status) => status === 'waitlisted');
  expect({ taken: now.current_attendees, waiting: now.waitlisted, confirmed: now.confirmed }).toEqual({
    taken,
    waiting,
    confirmed: count((status) => status === 'confirmed'),
  });
  const limit = now.max_attendees ?? 0;
  expect(taken).toBeLessThanOrEqual(limit);
  expect(waiting > 0 && taken < limit, 'people wait although seats are free').toBe(false);
  const numbers = rows.flatMap((row) => row.waitlist_number ?? []);
  expect(new Set(numbers).size).toBe(numbers.length);
  const moved = rows.filter((row) => row.promoted_because).map((row) => row.waitlist_number ?? 0);
  const waits = rows.filter((row) => row.status === 'waitlisted').map((row) => row.waitlist_number ?? 0);
  // Staff may confirm a person who waits further back.
  if (moved.length > 0 && waits.length > 0) expect(Math.max(...moved)).toBeLessThan(Math.min(...waits));
}

test('families that register and leave while staff approve and decline are promoted in order, and no event is oversold', async () => {
  const promise = fc.asyncProperty(crowd, storm);
  await fc.assert(promise, { numRuns: Number(RUNS), ...(SEED ? { seed: Number(SEED) } : {}) });
});
