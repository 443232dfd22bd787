import { describe, expect, test } from 'vitest';
import type { Tx } from '../../../src/core/transaction.ts';
import type { CollectionName } from '../../../src/mongo/collections.ts';
import { personTraces } from '../../../src/mongo/privacy/person-traces.ts';
import { SCOPE } from '../../support/builders.ts';
import { aFact } from '../../support/message-builders.ts';
import { DAY, HOUR, LEASE_MS, openReceiver, refuses, TAKES } from './receiver.ts';

const { receiver, stores, attempts, attemptsOf, deliverDue, deliverOne, only, pass, record, state, subscribe } =
  await openReceiver();

describe('recording a fact', () => {
  test('stores an attempt for each subscription of the school that wants it', async () => {
    await subscribe();
    await subscribe({ id: 'webhook-2', types: ['event.cancelled'] });
    await subscribe({ id: 'webhook-3', school_id: 's2' });
    await subscribe({ id: 'webhook-4', types: ['event.cancelled', 'event.published'] });
    await record();
    const counts = await Promise.all([1, 2, 3, 4].map(async (n) => (await attemptsOf(`webhook-${n}`)).length));
    expect(counts).toEqual([1, 0, 0, 1]);
  });

  test('stores no attempt for the subscription of another school whose facts share the transaction', async () => {
    await subscribe();
    await subscribe({ id: 'webhook-2', school_id: 's2' });
    const facts = [SCOPE.school_id, 's2'].map((school_id) => ({
      ...aFact('event.published'),
      school_id,
      id: school_id,
    }));
    await stores.transact((tx) => stores.facts.record(facts, tx));
    const stored = await attempts.find({}).sort({ webhook_id: 1 }).toArray();
    expect(stored.map(({ webhook_id, school_id }) => [webhook_id, school_id])).toEqual([
      ['webhook-1', SCOPE.school_id],
      ['webhook-2', 's2'],
    ]);
  });

  test('stores a skipped attempt for a subscription that is off, which can be replayed once it is on', async () => {
    await subscribe({ enabled: false });
    await record();
    expect(await deliverDue()).toBe(0);
    const { id, status } = await only();
    expect(status).toBe('skipped');
    await stores.webhooks.change(SCOPE, 'webhook-1', { enabled: true });
    expect(await deliverDue()).toBe(0);
    await stores.webhookAttempts.replay(SCOPE, 'webhook-1', id, receiver.now);
    expect(await deliverDue()).toBe(1);
    expect(await only()).toMatchObject({ status: 'delivered' });
  });

  test('stores no attempt if its transaction fails', async () => {
    await subscribe();
    const failed = stores.transact(async (tx) => {
      await stores.facts.record([aFact('event.published')], tx);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await attemptsOf()).toEqual([]);
  });

  test('stores no second attempt for the same fact', async () => {
    await subscribe();
    await record();
    const { id: _, ...rest } = await only();
    const again = attempts.insertOne({ _id: 'another', ...rest } as never);
    await expect(again).rejects.toThrow(/one_of_fact/);
  });
});

describe('a due attempt', () => {
  test('is sent once, with the id of its fact and the event', async () => {
    await subscribe();
    await record(aFact('event.published', {}, { id: 'fact-1' }));
    expect(await deliverDue()).toBe(1);
    expect(receiver.posted).toMatchObject([{ url: 'https://hook.example/', headers: { 'webhook-id': 'fact-1' } }]);
    expect(JSON.parse(receiver.posted[0]?.body ?? '')).toMatchObject({
      type: 'event.published',
      data: { event_id: 'event-1', event: { title: 'Concert' } },
    });
    expect(await only()).toMatchObject({ status: 'delivered', tries: [{ status_code: 200, problem: null }] });
    pass(DAY);
    expect(await deliverDue()).toBe(0);
  });

  test('goes to its own receiver, and keeps its result when the next one is refused', async () => {
    await subscribe({ id: 'webhook-0', url: 'https://other.example/' });
    await subscribe();
    for (const id of ['fact-1', 'fact-2']) await record(aFact('event.published', {}, { id }));
    await deliverOne('webhook-1');
    receiver.answer = refuses();
    expect([await deliverOne('webhook-1'), await deliverOne('webhook-1')]).toEqual([true, false]);
    expect(receiver.posted.map(({ url }) => url)).toEqual(['https://hook.example/', 'https://hook.example/']);
    const tried = await attemptsOf();
    expect(tried.map(({ status }) => status).sort()).toEqual(['delivered', 'pending']);
    for (const { id } of tried)
      expect(await stores.webhookAttempts.replay(SCOPE, 'webhook-1', id, receiver.now)).toMatchObject({ id });
  });

  test('is tried ten times in three days with the same id and body, then it has failed', async () => {
    await subscribe();
    await record();
    receiver.answer = refuses();
    const tries: number[] = [];
    const began = receiver.now.getTime();
    for (let hour = 0; hour < 100; hour += 1) {
      if ((await deliverDue()) > 0) tries.push(Math.round((receiver.now.getTime() - began) / HOUR));
      if (hour === 0) await stores.transact((tx) => renameEvent(tx));
      pass(HOUR);
    }
    // The first pauses are shorter than an hour.
    expect(tries.slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(receiver.posted).toHaveLength(10);
    expect(new Set(receiver.posted.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1);
    expect(await only()).toMatchObject({ status: 'failed', failures: 10 });
  });

  test('keeps its latest twenty tries, however often it is replayed', async () => {
    await subscribe();
    await record();
    const { id } = await only();
    for (let status = 500; status < 522; status += 1) {
      receiver.answer = refuses(status);
      await stores.webhookAttempts.replay(SCOPE, 'webhook-1', id, receiver.now);
      await deliverDue();
    }
    const codes = (await only()).tries.map(({ status_code }) => status_code);
    expect([codes.length, codes[0], codes.at(-1)]).toEqual([20, 502, 521]);
  });

  test('of a killed worker is sent again after its lease', async () => {
    await subscribe();
    await record();
    receiver.answer = () => Promise.reject(new Error('killed'));
    await expect(deliverOne('webhook-1')).rejects.toThrow('killed');
    receiver.answer = TAKES;
    expect(await deliverDue()).toBe(0);
    pass(LEASE_MS);
    expect(await deliverDue()).toBe(1);
    expect(receiver.posted[0]?.headers['webhook-id']).toBe(receiver.posted[1]?.headers['webhook-id']);
  });

  test('is not recorded by a worker that has lost its lease', async () => {
    await subscribe();
    await record();
    receiver.answer = async () => {
      pass(LEASE_MS);
      receiver.answer = TAKES;
      await deliverOne('webhook-1');
      return { status_code: 500, problem: 'refused' };
    };
    await deliverOne('webhook-1');
    expect(await only()).toMatchObject({ status: 'delivered', tries: [{ status_code: 200 }] });
    expect(await state()).toMatchObject({ failing_since: null });
  });

  test('is skipped if the subscription is off, and sent after a replay', async () => {
    await subscribe();
    await record();
    await stores.webhooks.change(SCOPE, 'webhook-1', { enabled: false });
    await deliverDue();
    const { id, status } = await only();
    expect([status, receiver.posted.length]).toEqual(['skipped', 0]);
    await stores.webhooks.change(SCOPE, 'webhook-1', { enabled: true });
    await stores.webhookAttempts.replay(SCOPE, 'webhook-1', id, receiver.now);
    expect(await deliverDue()).toBe(1);
    expect(await only()).toMatchObject({ status: 'delivered' });
  });

  test('is sent again if it was replayed during its last try', async () => {
    await subscribe();
    await record();
    const { id } = await only();
    await attempts.updateOne({ _id: id }, { $set: { failures: 9 } });
    receiver.answer = async () => {
      await stores.webhookAttempts.replay(SCOPE, 'webhook-1', id, receiver.now);
      receiver.answer = TAKES;
      return { status_code: 500, problem: 'refused' };
    };
    await deliverOne('webhook-1');
    expect(await only()).toMatchObject({ status: 'pending', failures: 0 });
    expect(await deliverDue()).toBe(1);
    expect(await only()).toMatchObject({ status: 'delivered' });
  });

  test('is skipped if its fact has been deleted', async () => {
    await subscribe();
    await record();
    await stores.database.collection('facts').deleteMany({});
    await deliverDue();
    expect([(await only()).status, receiver.posted.length]).toEqual(['skipped', 0]);
  });
});

describe('the body of an attempt', () => {
  const { database } = stores;
  const about = aFact('registration.cancelled', { user_id: 'eva' }, { id: 'fact-1' });
  const gone = { status: 404, headers: {}, body: '' };
  const erase = (from = database) => personTraces(from).erase(SCOPE, 'eva', { alias: 'erased-1', gone });
  const isSentWithAlias = async () => {
    receiver.answer = TAKES;
    pass(HOUR);
    await deliverDue();
    const { status, body } = await only();
    expect(status).toBe('delivered');
    expect(JSON.parse(body ?? '').data.user_id).toBe('erased-1');
  };

  test('is not stored if its person was erased after the fact was read', async () => {
    await subscribe({ types: ['registration.cancelled'] });
    await record(about);
    await deliverOne('webhook-1', {
      facts: { ...stores.facts, findMany: (ids) => stores.facts.findMany(ids).finally(() => erase()) },
    });
    expect([(await only()).body, receiver.posted.length]).toEqual([null, 0]);
    await isSentWithAlias();
  });

  test('is removed if it was stored during the erasure, before the fact was changed', async () => {
    await subscribe({ types: ['registration.cancelled'] });
    await record(about);
    receiver.answer = refuses();
    const facts = database.collection('facts');
    const bulkWrite: typeof facts.bulkWrite = (...asked) => deliverDue().then(() => facts.bulkWrite(...asked));
    const collection = (name: CollectionName) =>
      name === 'facts' ? Object.create(facts, { bulkWrite: { value: bulkWrite } }) : database.collection(name);
    await erase({ ...database, collection });
    expect([(await only()).body, receiver.posted.length]).toEqual([null, 1]);
    await isSentWithAlias();
  });
});

test('tells when the next attempt of each subscription is due, earliest first', async () => {
  for (const n of [1, 2, 3]) await subscribe({ id: `webhook-${n}` });
  await record(aFact('event.published', {}, { id: 'fact-1' }));
  await record(aFact('event.published', {}, { id: 'fact-2' }));
  const due = (ms: number) => new Date(receiver.now.getTime() + ms);
  await attempts.updateMany({ webhook_id: 'webhook-1' }, { $set: { due_at: due(2) } });
  await attempts.updateOne({ webhook_id: 'webhook-1' }, { $set: { due_at: due(1) } });
  await attempts.updateMany({ webhook_id: 'webhook-2' }, { $set: { status: 'delivered' } });
  expect(await stores.webhookAttempts.findNextDue()).toEqual([
    { webhook_id: 'webhook-3', due_at: receiver.now },
    { webhook_id: 'webhook-1', due_at: due(1) },
  ]);
});

async function renameEvent(tx: Tx) {
  const event = await stores.events.find(SCOPE, 'event-1', tx);
  if (event) await stores.events.replaceMany([{ before: event, after: { ...event, title: 'Another' } }], tx);
}
