import { expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { wakeUps } from '../../src/mongo/change-streams.ts';
import { emptyDatabase } from '../support/database.ts';

const database = await emptyDatabase();

type Kind = keyof ReturnType<typeof wakeUps>;

/** Records two facts, the second after a wake-up by the first. @returns the kinds in the order of their wake-ups */
async function wokenBy(first: { type: string; relay?: string }, then: { type: string; relay?: string }) {
  const woken: Kind[] = [];
  const all = wakeUps(database);
  const both = Promise.all(
    (['messages', 'events'] as const).map(async (kind) => {
      const notified = new Promise<void>((resolve) =>
        all[kind].subscribe(() => {
          woken.push(kind);
          resolve();
        }),
      );
      await all[kind].arm();
      return { notified };
    }),
  );
  const waiting = await both;
  const isWoken = Promise.race(waiting.map(({ notified }) => notified));
  const facts = database.collection('facts');
  await facts.insertOne({ _id: newId(), ...first } as never);
  await isWoken;
  await facts.insertOne({ _id: newId(), ...then } as never);
  await Promise.all(waiting.map(({ notified }) => notified));
  return woken;
}

const REGISTERED = { type: 'registration.confirmed', relay: 'urgent' };
const EDITED = { type: 'event.edited' };

test('a registration wakes the relay, but not the clock and the waitlist worker', async () => {
  expect(await wokenBy(REGISTERED, EDITED)).toEqual(['messages', 'events']);
});

test('an edit that notifies no one wakes the clock and the waitlist worker, but not the relay', async () => {
  expect(await wokenBy(EDITED, REGISTERED)).toEqual(['events', 'messages']);
});
