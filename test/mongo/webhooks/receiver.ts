import { beforeEach, expect } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import type { NewFact } from '../../../src/outbox/fact.ts';
import { type DeliverWebhooksDeps, deliverNext, type PostWebhook } from '../../../src/webhooks/deliver.ts';
import type { Attempt, Webhook } from '../../../src/webhooks/webhook.ts';
import { anEvent, SCOPE } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { aFact } from '../../support/message-builders.ts';
import { withMovedClock } from '../../support/moved-clock.ts';

export const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
export const LEASE_MS = MINUTE;

export const TAKES: PostWebhook = async () => ({ status_code: 200, problem: null });
export const refuses =
  (status_code = 500): PostWebhook =>
  async () => ({ status_code, problem: 'refused' });

/** A school with one event, and the receiver of its webhooks, which takes everything until a test says otherwise. */
export async function openReceiver() {
  const receiver = {
    // The server removes attempts by its own clock, so the moved clock must not stand in the past.
    now: new Date(),
    posted: [] as { url: string; headers: Record<string, string>; body: string }[],
    /** Answers the next requests. */
    answer: TAKES,
    disabled: [] as (string | null)[],
    /** when staff were warned */
    warned: [] as Date[],
  };
  const database = await emptyDatabase();
  const stores = storesOn(withMovedClock(database, { now: () => receiver.now }));
  beforeEach(async () => {
    await emptyDatabase();
    Object.assign(receiver, { now: new Date(), posted: [], answer: TAKES, disabled: [], warned: [] });
    await stores.transact((tx) => stores.events.insert([anEvent({ id: 'event-1', title: 'Concert' })], tx));
  });
  const deps: DeliverWebhooksDeps = {
    ...stores,
    post: (url, headers, body) => {
      receiver.posted.push({ url, headers, body });
      return receiver.answer(url, headers, body);
    },
    leaseMs: LEASE_MS,
    report: () => {},
    onWarned: () => void receiver.warned.push(receiver.now),
    onDisabled: (_webhook, reason) => void receiver.disabled.push(reason),
  };
  const deliverOne = (webhook_id: string, more: Partial<DeliverWebhooksDeps> = {}) =>
    deliverNext({ ...deps, ...more }, webhook_id);
  const attemptsOf = (webhook_id = 'webhook-1') => stores.webhookAttempts.list(SCOPE, webhook_id, { limit: 100 });
  return {
    receiver,
    stores,
    attempts: database.collection('webhook_attempts'),
    attemptsOf,
    deliverOne,
    pass(ms: number): void {
      receiver.now = new Date(receiver.now.getTime() + ms);
    },
    async subscribe(more: Partial<Webhook> = {}): Promise<void> {
      await stores.webhooks.insert({
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
        created_at: receiver.now,
        ...more,
      });
    },
    record: (fact: NewFact & { id?: string } = aFact('event.published')) =>
      stores.transact((tx) => stores.facts.record([{ ...fact, occurred_at: receiver.now }], tx)),
    /** Sends everything that is due. @returns how many */
    async deliverDue(): Promise<number> {
      let sent = 0;
      for (const { webhook_id } of await stores.webhookAttempts.findNextDue())
        while (await deliverOne(webhook_id)) sent += 1;
      return sent;
    },
    async only(): Promise<Attempt> {
      const all = await attemptsOf();
      expect(all).toHaveLength(1);
      return all[0] as Attempt;
    },
    state: () => stores.webhooks.load('webhook-1'),
  };
}
