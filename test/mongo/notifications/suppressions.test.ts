import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../src/mongo/database.ts';
import { suppressionStore } from '../../../src/mongo/notifications/suppression-store.ts';
import { SCOPE } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';

const OTHER_SCHOOL = { tenant_id: 't1', school_id: 's2' };
const OTHER_TENANT = { tenant_id: 't2', school_id: 's1' };
const EVA = 'Eva@People.example';
const DAY = 86_400_000;
const bounced = { kind: 'bounced', why: 'bounce 5.1.1' } as const;
const complained = { kind: 'complained', why: 'complaint' } as const;

let database: Database;
let store: ReturnType<typeof suppressionStore>;
beforeAll(async () => {
  database = await emptyDatabase();
  store = suppressionStore(database);
});
beforeEach(() => database.collection('suppressions').deleteMany({}));

/** Whether the address is suppressed for [urgent messages, other messages]. */
const held = async (tenant_id = 't1') =>
  Promise.all(
    [true, false].map(async (urgent) => (await store.findSuppressed(tenant_id, 'email', [EVA], { urgent })).size > 0),
  );
/** Moves all suppressions this many days into the past. */
const earlier = (days: number) =>
  database
    .collection('suppressions')
    .updateMany({ until: { $type: 'date' } }, [
      { $set: { until: { $subtract: ['$until', days * DAY] }, since: { $subtract: ['$since', days * DAY] } } },
    ]);
const days = async () => {
  const [row] = await store.list(SCOPE, { limit: 5 });
  return row?.until ? Math.round((row.until.getTime() - row.since.getTime()) / DAY) : null;
};

test('a school whose id begins with $ sees the addresses that blocked its messages', async () => {
  const school = { tenant_id: '$t', school_id: '$s' };
  await store.add(school, 'email', EVA, bounced);
  expect(await store.list(school, { limit: 5 })).toMatchObject([bounced]);
});

test('a bounced address is suppressed for its tenant and released after a longer time at each bounce', async () => {
  expect(await held()).toEqual([false, false]);
  await store.add(SCOPE, 'email', EVA, bounced);
  expect(await held()).toEqual([true, true]);
  expect(await held('t2')).toEqual([false, false]);
  expect(await days()).toBe(7);
  // Messages sent at the same time bounce together.
  await store.add(SCOPE, 'email', EVA, bounced);
  expect(await days()).toBe(7);
  for (const wait of [7, 30, 180]) {
    await earlier(wait + 1);
    expect(await held()).toEqual([false, false]);
    expect(await store.list(SCOPE, { limit: 5 })).toEqual([]);
    await store.add(SCOPE, 'email', EVA, bounced);
    expect(await held()).toEqual([true, true]);
  }
  expect(await store.list(SCOPE, { limit: 5 })).toMatchObject([
    { address: 'eva@people.example', channel: 'email', ...bounced, times: 4 },
  ]);
  expect(await days()).toBe(180);
});

test('a person who complained gets only urgent messages until the complaint is withdrawn', async () => {
  await store.add(SCOPE, 'email', 'ada@people.example', complained);
  await store.add(SCOPE, 'email', EVA, complained);
  expect(await held()).toEqual([false, true]);
  const mine = await store.list(SCOPE, { addresses: [EVA], limit: 5 });
  expect(mine).toMatchObject([{ ...complained, until: null, times: 0 }]);
  await store.removeComplaint('t1', 'email', EVA);
  expect(await held()).toEqual([false, false]);
  expect(await store.list(SCOPE, { limit: 5 })).toMatchObject([{ address: 'ada@people.example' }]);
});

test.each([
  ['the complaint first', [complained, bounced]],
  ['the bounce first', [bounced, complained]],
])('an address can bounce and complain: %s', async (_name, both) => {
  await store.add(OTHER_SCHOOL, 'email', 'ada@people.example', complained);
  for (const one of both) await store.add(SCOPE, 'email', EVA, one);
  expect(await held()).toEqual([true, true]);
  await earlier(8);
  expect(await held()).toEqual([false, true]);
  expect(await store.list(SCOPE, { limit: 5 })).toMatchObject([{ kind: 'complained', until: null }]);
  await store.removeComplaint('t1', 'email', EVA);
  expect(await held()).toEqual([false, false]);
});

test('staff see and lift suppressions that have stopped a message of their school', async () => {
  const number = '+420601123456';
  await store.add(SCOPE, 'sms', number, bounced);
  await store.add(SCOPE, 'email', EVA, bounced);
  const [row] = await store.list(SCOPE, { addresses: [EVA], limit: 5 });
  const id = row?.id ?? '';
  const lift = (scope: typeof SCOPE) => database.transact((tx) => store.lift(scope, id, tx));
  for (const scope of [OTHER_SCHOOL, OTHER_TENANT]) {
    expect(await store.list(scope, { limit: 5 })).toEqual([]);
    expect(await lift(scope)).toBe(false);
  }
  await store.recordBlocked(OTHER_SCHOOL, 'email', [EVA]);
  expect(await store.list(OTHER_SCHOOL, { limit: 5 })).toMatchObject([{ id }]);
  expect(await store.list(SCOPE, { addresses: [EVA], after: id, limit: 5 })).toEqual([]);
  await store.recordBlocked(OTHER_SCHOOL, 'sms', [number]);
  expect(await lift(OTHER_SCHOOL)).toBe(true);
  expect(await lift(OTHER_SCHOOL)).toBe(false);
  expect(await store.list(OTHER_SCHOOL, { limit: 5 })).toMatchObject([{ address: number }]);
  expect(await held()).toEqual([false, false]);
});

test('staff lifts bounces by reason, channel and time, and leaves complaints, opt-outs and other schools', async () => {
  const lift = (filter: Parameters<typeof store.liftBounced>[1], { scope = SCOPE, limit = 10 } = {}) =>
    database.transact((tx) => store.liftBounced(scope, filter, limit, tx));
  const left = async () => (await store.list(SCOPE, { limit: 10 })).map(({ address, kind }) => `${address} ${kind}`);
  const other = { kind: 'bounced', why: 'bounce 5.1.2' } as const;
  const both = 'both@people.example';
  for (const address of ['a@people.example', 'b@people.example', both])
    await store.add(SCOPE, 'email', address, bounced);
  await store.add(SCOPE, 'email', 'c@people.example', other);
  await store.add(SCOPE, 'sms', '+420601123456', bounced);
  await store.add(SCOPE, 'email', both, complained);
  await store.add(SCOPE, 'email', EVA, complained);
  await store.recordStop('+15005550006', '+420601123456');
  const [soon, past] = [new Date(Date.now() + DAY), new Date(Date.now() - DAY)];

  for (const scope of [OTHER_SCHOOL, OTHER_TENANT])
    expect(await lift({ from: past }, { scope })).toEqual({ lifted: 0, has_more: false });
  expect(await lift({ from: soon })).toEqual({ lifted: 0, has_more: false });
  expect(await lift({ to: past })).toEqual({ lifted: 0, has_more: false });
  expect(await lift({ reason: 'bounce 5.1.2', from: past, to: soon })).toEqual({ lifted: 1, has_more: false });
  expect(await lift({ reason: bounced.why, channel: 'email' }, { limit: 2 })).toEqual({ lifted: 2, has_more: true });
  expect(await lift({ reason: bounced.why, channel: 'email' }, { limit: 2 })).toEqual({ lifted: 1, has_more: false });
  expect((await left()).sort()).toEqual([
    '+420601123456 bounced',
    `${both} complained`,
    'eva@people.example complained',
  ]);
  expect(await lift({ from: past })).toEqual({ lifted: 1, has_more: false });
  expect((await left()).length).toBe(2);
  const urgent = await store.findSuppressed('t1', 'email', [both], { urgent: true });
  const routine = await store.findSuppressed('t1', 'email', [both], { urgent: false });
  expect([urgent.size, routine.size]).toEqual([0, 1]);
  expect((await store.findStopped(['+15005550006'], ['+420601123456'])).size).toBe(1);
});

test('a STOP applies to its sender in every tenant, and only a hash of the number is stored', async () => {
  const number = '+420601123456';
  const stopped = async (...senders: string[]) => [...(await store.findStopped(senders, [number, '+420600000000']))];
  await store.recordStop('+15005550006', number);
  await store.recordStop('+15005550006', number);
  await store.recordStop('MG1', number);
  expect(await stopped('+15005550006')).toEqual([number]);
  expect(await stopped('+15005550007', 'MG2')).toEqual([]);
  expect(JSON.stringify(await database.collection('suppressions').find().toArray())).not.toContain('601123456');
  await store.removeStop('+15005550006', number);
  expect(await stopped('+15005550006')).toEqual([]);
  expect(await stopped('+15005550006', 'MG1')).toEqual([number]);
  expect(await store.list(SCOPE, { limit: 5 })).toEqual([]);
});
