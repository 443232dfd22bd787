import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { gaugeBacklog } from '../../src/app/backlog-metrics.ts';
import type { Backlog } from '../../src/mongo/backlog.ts';
import { NOW } from '../support/builders.ts';

const BACKLOG: Backlog = {
  at: NOW,
  deliveries: [
    { channel: 'email', priority: 'urgent', count: 2, oldest: new Date(NOW.getTime() - 90_000) },
    { channel: 'sms', priority: 'bulk', count: 0, oldest: null },
  ],
  quarantined: [{ channel: 'push', count: 3 }],
  suppressed: [{ channel: 'email', kind: 'bounced', count: 4 }],
  facts: [{ state: 'unpublished', count: 1, oldest: new Date(NOW.getTime() - 5_000) }],
};

const samplesOf = async (metrics: Registry) =>
  (await metrics.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('shows what waits and how long, from one reading for all gauges when they are collected', async () => {
  let readings = 0;
  const metrics = new Registry();
  gaugeBacklog({ metrics }, async () => {
    readings += 1;
    return BACKLOG;
  });
  expect(readings).toBe(0);
  expect(await samplesOf(metrics)).toEqual([
    'schoolbell_deliveries_waiting{channel="email",priority="urgent"} 2',
    'schoolbell_deliveries_waiting{channel="sms",priority="bulk"} 0',
    'schoolbell_deliveries_oldest_waiting_age_seconds{channel="email",priority="urgent"} 90',
    'schoolbell_deliveries_oldest_waiting_age_seconds{channel="sms",priority="bulk"} 0',
    'schoolbell_deliveries_quarantined{channel="push"} 3',
    'schoolbell_addresses_suppressed{channel="email",kind="bounced"} 4',
    'schoolbell_outbox_facts{state="unpublished"} 1',
    'schoolbell_outbox_oldest_age_seconds{state="unpublished"} 5',
  ]);
  expect(readings).toBe(1);
});

test('leaves the samples out while the database does not answer, so that none is out of date', async () => {
  const metrics = new Registry();
  gaugeBacklog({ metrics }, () => Promise.reject(new Error('no primary')));
  expect(await samplesOf(metrics)).toEqual([]);
});
