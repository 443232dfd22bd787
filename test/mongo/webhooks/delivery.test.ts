import { beforeEach, describe, expect, test } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import type { NewFact } from '../../../src/outbox/fact.ts';
import { type DeliverWebhooksDeps, deliverNext, type PostWebhook } from '../../../src/webhooks/deliver.ts';
import type { Attempt, Webhook } from '../../../src/webhooks/webhook.ts';
import { anEvent, SCOPE } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { aFact } from '../../support/message-builders.ts';
import { withMovedClock } from '../../support/moved-clock.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const LEASE_MS = MINUTE;

// The server removes attempts by its own clock, so the moved clock must not stand in the past.
const clock = { at: new Date(), now: () => clock.at };
const pass = (ms: number) => {
  clock.at = new Date(clock.at.getTime() + ms);
};

let stores: ReturnType<typeof storesOn>;
let posted: { url: string; headers: Record<string, string>; body: string }[];
/** What the receiver does with the next requests. */
let answer: PostWebhook;
let disabled: (string | null)[];

const TAKES: PostWebhook = async () => ({ status_code: 200, problem: null });
const refuses =
  (status_code = 500): PostWebhook =>
  async () => ({ status_code, problem: 'refused' });

beforeEach(async () => {
  stores = storesOn(withMovedClock(await emptyDatabase(), clock));
  clock.at = new Date();
  posted = [];
  disabled = [];
  answer = TAKES;
  await stores.transact((tx) => stores.events.insert([anEvent({ id: 'event-1', title: 'Concert' })], tx));
});

const deps = (): DeliverWebhooksDeps => ({
  ...stores,
  post: (url, headers, body) => {
    posted.push({ url, headers, body });
    return answer(url, headers, body);
  },
  leaseMs: LEASE_MS,
  report: () => {},
  onDisabled: (_webhook, reason) => void disabled.push(reason),
});

async function subscribe(more: Partial<Webhook> = {}): Promise<Webhook> {
  const webhook: Webhook = {
    ...SCOPE,
    id: 'webhook-1',
    url: 'https://hook.example/',
    types: ['event.published'],
    description: null,
    enabled: true,
    disabled_reason: null,
    disabled_at: null,
    secrets: [{ value: 'whsec_c2VjcmV0', until: null }],
    failing_since: null,
    last_failure_at: null,
    created_at: clock.at,
    ...more,
  };
  await stores.webhooks.insert(webhook);
  return webhook;
}

const record = (fact: NewFact & { id?: string } = aFact('event.published')) =>
  stores.transact((tx) => stores.facts.record([{ ...fact, occurred_at: clock.at }], tx));

/** Sends everything that is due. @returns how many */
async function deliverDue(): Promise<number> {
  let sent = 0;
  for (const id of await stores.webhookAttempts.findDue(clock.at)) while (await deliverNext(deps(), id)) sent += 1;
  return sent;
}

const attemptsOf = (webhook_id = 'webhook-1') => stores.webhookAttempts.list(SCOPE, webhook_id, { limit: 100 });
const only = async (): Promise<Attempt> => {
  const all = await attemptsOf();
  expect(all).toHaveLength(1);
  return all[0] as Attempt;
};
const state = () => stores.webhooks.load('webhook-1');

describe('recording a fact', () => {
  test('stores an attempt for each subscription of the school that wants it', async () => {
    await subscribe();
    await subscribe({ id: 'webhook-2', types: ['event.cancelled'] });
    await subscribe({ id: 'webhook-3', enabled: false });
    await subscribe({ id: 'webhook-4', school_id: 's2' });
    await subscribe({ id: 'webhook-5', types: ['event.cancelled', 'event.published'] });
    await record();
    const counts = await Promise.all([1, 2, 3, 4, 5].map(async (n) => (await attemptsOf(`webhook-${n}`)).length));
    expect(counts).toEqual([1, 0, 0, 0, 1]);
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
    const again = database().insertOne({ _id: 'another', ...rest } as never);
    await expect(again).rejects.toThrow(/one_of_fact/);
  });
});

const database = () => stores.database.collection('webhook_attempts');

describe('a due attempt', () => {
  test('is sent once, with the id of its fact and the event', async () => {
    await subscribe();
    await record(aFact('event.published', {}, { id: 'fact-1' }));
    expect(await deliverDue()).toBe(1);
    expect(posted).toMatchObject([{ url: 'https://hook.example/', headers: { 'webhook-id': 'fact-1' } }]);
    expect(JSON.parse(posted[0]?.body ?? '')).toMatchObject({
      type: 'event.published',
      data: { event_id: 'event-1', event: { title: 'Concert' } },
    });
    expect(await only()).toMatchObject({ status: 'delivered', tries: [{ status_code: 200, problem: null }] });
    pass(DAY);
    expect(await deliverDue()).toBe(0);
  });

  test('is tried ten times in three days with the same id and body, then it has failed', async () => {
    await subscribe();
    await record();
    answer = refuses();
    const tries: number[] = [];
    const began = clock.at.getTime();
    for (let hour = 0; hour < 100; hour += 1) {
      if ((await deliverDue()) > 0) tries.push(Math.round((clock.at.getTime() - began) / HOUR));
      if (hour === 0) await stores.transact((tx) => renameEvent(tx));
      pass(HOUR);
    }
    // The first pauses are shorter than an hour.
    expect(tries.slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(posted).toHaveLength(10);
    expect(new Set(posted.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1);
    expect(await only()).toMatchObject({ status: 'failed', failures: 10 });
  });

  test('of a killed worker is sent again after its lease', async () => {
    await subscribe();
    await record();
    answer = () => Promise.reject(new Error('killed'));
    await expect(deliverNext(deps(), 'webhook-1')).rejects.toThrow('killed');
    answer = TAKES;
    expect(await deliverDue()).toBe(0);
    pass(LEASE_MS);
    expect(await deliverDue()).toBe(1);
    expect(posted[0]?.headers['webhook-id']).toBe(posted[1]?.headers['webhook-id']);
  });

  test('is not recorded by a worker that has lost its lease', async () => {
    await subscribe();
    await record();
    answer = async () => {
      pass(LEASE_MS);
      answer = TAKES;
      await deliverNext(deps(), 'webhook-1');
      return { status_code: 500, problem: 'refused' };
    };
    await deliverNext(deps(), 'webhook-1');
    expect(await only()).toMatchObject({ status: 'delivered', tries: [{ status_code: 200 }] });
    expect(await state()).toMatchObject({ failing_since: null });
  });

  test('is skipped if the subscription is off, and sent after a replay', async () => {
    await subscribe();
    await record();
    await stores.webhooks.change(SCOPE, 'webhook-1', { enabled: false });
    await deliverDue();
    const { id, status } = await only();
    expect([status, posted.length]).toEqual(['skipped', 0]);
    await stores.webhooks.change(SCOPE, 'webhook-1', { enabled: true });
    await stores.webhookAttempts.replay(SCOPE, 'webhook-1', id, clock.at);
    expect(await deliverDue()).toBe(1);
    expect(await only()).toMatchObject({ status: 'delivered' });
  });

  test('is skipped if its fact has been deleted', async () => {
    await subscribe();
    await record();
    await stores.database.collection('facts').deleteMany({});
    await deliverDue();
    expect([(await only()).status, posted.length]).toEqual(['skipped', 0]);
  });
});

describe('a subscription', () => {
  test('is turned off when its receiver answers 410', async () => {
    await subscribe();
    await record();
    answer = refuses(410);
    await deliverDue();
    expect(await only()).toMatchObject({ status: 'failed' });
    expect(await state()).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    expect(disabled).toEqual(['gone']);
    await record(aFact('event.published', {}, { id: 'fact-2' }));
    await deliverDue();
    expect(posted).toHaveLength(1);
  });

  /** Records a fact and sends what is due, every twelve hours. */
  async function haveDays(days: number) {
    for (let n = 0; n < days * 2; n += 1) {
      await record(aFact('event.published', {}, { id: `fact-${clock.at.getTime()}` }));
      await deliverDue();
      pass(12 * HOUR);
    }
  }

  test('is turned off after five days of only failures', async () => {
    await subscribe();
    answer = refuses();
    await haveDays(5);
    expect(await state()).toMatchObject({ enabled: true });
    await haveDays(0.5);
    expect(await state()).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    expect(disabled).toEqual(['failing']);
    expect(await stores.database.collection('messages').countDocuments({ is_notice: true })).toBe(1);
  });

  test('stays on if one message was taken in between', async () => {
    await subscribe();
    answer = refuses();
    await haveDays(4);
    answer = TAKES;
    await haveDays(0.5);
    answer = refuses();
    await haveDays(4);
    expect(await state()).toMatchObject({ enabled: true });
  });

  test('stays on if nothing was sent for days between two failures', async () => {
    await subscribe();
    answer = refuses();
    await haveDays(0.5);
    await database().deleteMany({});
    pass(30 * DAY);
    await haveDays(0.5);
    expect(await state()).toMatchObject({ enabled: true });
  });

  test('takes its attempts with it when it is removed', async () => {
    await subscribe();
    await record();
    expect(await stores.webhooks.remove(SCOPE, 'webhook-1')).toBe(true);
    expect(await database().countDocuments({})).toBe(0);
  });
});

test('finds every subscription with a due attempt, and none of the others', async () => {
  for (const n of [1, 2, 3]) await subscribe({ id: `webhook-${n}` });
  await record(aFact('event.published', {}, { id: 'fact-1' }));
  await record(aFact('event.published', {}, { id: 'fact-2' }));
  await database().updateMany({ webhook_id: 'webhook-2' }, { $set: { due_at: new Date(clock.at.getTime() + 1) } });
  expect(await stores.webhookAttempts.findDue(clock.at)).toEqual(['webhook-1', 'webhook-3']);
});

async function renameEvent(tx: Parameters<Parameters<typeof stores.transact>[0]>[0]) {
  const event = await stores.events.find(SCOPE, 'event-1', tx);
  if (event) await stores.events.replaceMany([{ before: event, after: { ...event, title: 'Another' } }], tx);
}
