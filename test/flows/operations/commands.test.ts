import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { OF_PRODUCT, profile } from '../../support/profile.ts';
import { contactOf, contactsOf, draft, E, eventually, provideWorld, putPeople, SCHOOL } from '../../support/world.ts';

const SAMPLES = 5;
/** People of a small announcement. */
const FEW = 30;

// Without a relay and a clock, and with loops that sleep for an hour, all commands belong to the path of a message.
const world = provideWorld({ start: ['api', 'fan-out', 'email'], env: { TICK_MS: '60000', SWEEP_MS: '3600000' } });
beforeAll(async () => {
  await putPeople(world, contactsOf(FEW));
});

/**
 * The product's commands during `work`, like `find events`, without commits and the driver's questions. Without comparisons of
 * the database's age too: each worker compares it once a second.
 */
async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  const filter = { ...OF_PRODUCT, 'command.hello': { $exists: false }, ns: { $not: /\.marks$/ } };
  const found = await profile(world.database, filter, work);
  return found.map(({ op, ns }) => `${op} ${ns.slice(ns.indexOf('.') + 1)}`);
}

/** Whether every message of the event was sent, and its facts are processed. */
async function isSent(event_id: string, mails: number): Promise<boolean> {
  const { database } = world;
  const sent = await database.collection('deliveries').countDocuments({ event_id, channel: 'email', status: 'sent' });
  return (
    sent === mails && (await database.collection('facts').countDocuments({ event_id, relay: { $exists: true } })) === 0
  );
}

/** The commands of each sample. */
async function takeSamples(sample: (n: number) => Promise<unknown>): Promise<string[][]> {
  const samples: string[][] = [];
  for (let n = 0; n < SAMPLES; n += 1) samples.push(await commandsOf(() => sample(n)));
  return samples;
}

/** The fewest commands of several samples: on a slow machine what usually shares a query does not. */
const fewest = (samples: readonly string[][]): string[] =>
  samples.reduce((best, used) => (used.length < best.length ? used : best));

async function createDraft(more = {}): Promise<string> {
  return String((await world.call('POST', E, draft(more))).body.id);
}

async function publish(id: string): Promise<void> {
  expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  await eventually('the announcement is sent', () => isSent(id, FEW));
}

test('a confirmation costs MongoDB at most 29 commands from the request to the recorded e-mail', async () => {
  const id = await createDraft({ registration_type: 'optional' });
  await publish(id);
  const samples = await takeSamples(async (n) => {
    const user_id = contactOf(n).user_id;
    const as = await world.token({ ...SCHOOL, user_id, roles: ['student'] });
    expect((await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee' }, { as })).status).toBe(201);
    await eventually('the confirmation is sent', () => isSent(id, FEW + n + 1));
  });
  const used = fewest(samples);
  expect(used.length, used.join('\n')).toBeLessThanOrEqual(29);
});

/** How often a process has waited and was woken, from Linux's /proc. */
const wakeUps = (pid: number): number =>
  Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

test('an idle process wakes up at most six times a second', async () => {
  const pid = world.processes.find(({ name }) => name === 'api')?.pid ?? 0;
  const before = wakeUps(pid);
  await delay(4_000);
  expect(wakeUps(pid) - before).toBeLessThanOrEqual(24);
});

// How many results share an update depends on the speed of the machine.
test('an announcement for 30 people costs MongoDB at most 24 commands and 29 updates of its messages', async () => {
  const ids = await Promise.all(Array.from({ length: SAMPLES }, () => createDraft()));
  const samples = await takeSamples((n) => publish(ids[n] ?? ''));
  const isUpdate = (command: string) => command === 'update deliveries';
  const used = fewest(samples.map((commands) => commands.filter((command) => !isUpdate(command))));
  expect(used.length, used.join('\n')).toBeLessThanOrEqual(24);
  expect(fewest(samples.map((commands) => commands.filter(isUpdate))).length).toBeLessThan(FEW);
});
