import { Gauge } from 'prom-client';
import { cached } from '../core/cached.ts';
import { within } from '../core/clock.ts';
import type { Backlog } from '../mongo/backlog.ts';
import type { ProcessContext } from './process.ts';

/** The gauges of one scrape share one reading. */
const SHARED_MS = 1_000;
const WITHIN_MS = 5_000;

type Samples = readonly (readonly [labels: Record<string, string>, value: number])[];

/**
 * Exports what waits in the database, read when the metrics are collected. Each process that exports it has the same numbers:
 * take their maximum, not their sum. Without an answer of the database the samples are left out.
 */
export function gaugeBacklog({ metrics }: Pick<ProcessContext, 'metrics'>, read: () => Promise<Backlog>): void {
  const load = cached(SHARED_MS, () => within<Backlog | null>(WITHIN_MS, read(), () => null));
  const gauge = (name: string, help: string, labelNames: string[], samplesOf: (backlog: Backlog) => Samples) =>
    new Gauge({
      name: `schoolbell_${name}`,
      help,
      labelNames,
      registers: [metrics],
      async collect() {
        const backlog = await load().catch(() => null);
        this.reset();
        for (const [labels, value] of backlog ? samplesOf(backlog) : []) this.set(labels, value);
      },
    });
  const perQueue = ['channel', 'priority'];
  gauge('deliveries_waiting', 'Messages that are due and wait to be sent, at most 100,000', perQueue, (backlog) =>
    backlog.deliveries.map(({ count, oldest: _, ...labels }) => [labels, count]),
  );
  gauge(
    'deliveries_oldest_waiting_age_seconds',
    'How long the oldest waiting message has been due; 0 if none waits',
    perQueue,
    ({ at, deliveries }) => deliveries.map(({ count: _, oldest, ...labels }) => [labels, secondsBetween(oldest, at)]),
  );
  gauge('deliveries_quarantined', 'Messages in quarantine', ['channel'], ({ quarantined }) =>
    quarantined.map(({ count, ...labels }) => [labels, count]),
  );
  gauge('addresses_suppressed', 'Addresses that bounced, or complained of spam', ['channel', 'kind'], (backlog) =>
    backlog.suppressed.map(({ count, ...labels }) => [labels, count]),
  );
  gauge(
    'outbox_facts',
    'Facts in the outbox: not on the queue yet (unpublished), or on the queue and not processed yet (published)',
    ['state'],
    ({ facts }) => facts.map(({ state, count }) => [{ state }, count]),
  );
  gauge('outbox_oldest_age_seconds', 'Age of the oldest fact in the outbox; 0 if it is empty', ['state'], (backlog) =>
    backlog.facts.map(({ state, oldest }) => [{ state }, secondsBetween(oldest, backlog.at)]),
  );
}

const secondsBetween = (from: Date | null, to: Date): number =>
  from === null ? 0 : Math.max(0, to.getTime() - from.getTime()) / 1000;
