import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { deliveryReport } from '../../src/app/sending.ts';
import { createdAtOf, newId } from '../../src/core/ids.ts';
import type { Delivery } from '../../src/notifications/delivery.ts';
import type { DeliveryResult } from '../../src/notifications/policy/retry.ts';
import { aDelivery } from '../support/message-builders.ts';

const LATER_MS = 3_000;

/** The durations that a report of this result adds: number and seconds by channel and priority. */
async function reported(row: Partial<Delivery>, to: 'sent' | 'failed' = 'sent') {
  const metrics = new Registry();
  const fact_id = newId();
  const now = new Date((createdAtOf(fact_id)?.getTime() ?? 0) + LATER_MS);
  const log = { debug() {}, info() {}, error() {} } as never;
  const report = deliveryReport({ log, metrics }, { clock: { now: () => now } });
  const delivery = aDelivery({ fact_id, trigger: 'event.cancelled', channel: 'email', urgent: true, ...row });
  report({ to, id: delivery.id, provider_id: null, detail: null, reason: 'refused' } as DeliveryResult, delivery);
  const text = await metrics.metrics();
  return {
    durations: [...text.matchAll(/^schoolbell_fact_to_sent_seconds_(?:sum|count)\{(.*)\} (.*)$/gm)].map(
      ([, labels, value]) => [labels, Number(value)],
    ),
    results: [...text.matchAll(/^schoolbell_deliveries_settled_total\{(.*)\} (.*)$/gm)].map(([, labels]) => labels),
  };
}

test('times a message from its fact to the acceptance', async () => {
  const { durations, results } = await reported({});
  const labels = 'channel="email",priority="urgent"';
  expect(durations).toEqual([
    [labels, LATER_MS / 1000],
    [labels, 1],
  ]);
  expect(results).toEqual(['channel="email",trigger="event.cancelled",to="sent"']);
});

test.each([
  ['was deferred by quiet hours', { held_until: new Date() }],
  ['staff released from quarantine', { redriven_at: new Date() }],
  ['waits for further edits', { trigger: 'event.changed' }],
  ['is a reminder', { trigger: 'reminder.due' }],
  ['has a fact whose id tells no time', { fact_id: 'fact-1' }],
] as const)('counts but does not time a message that %s', async (_, row) => {
  const { durations, results } = await reported(row);
  expect(durations).toEqual([]);
  expect(results.length).toBe(1);
});

test('counts but does not time a message that failed', async () => {
  const { durations, results } = await reported({}, 'failed');
  expect(durations).toEqual([]);
  expect(results).toEqual(['channel="email",trigger="event.cancelled",to="failed"']);
});
