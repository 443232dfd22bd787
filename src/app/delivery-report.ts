import { type CollectFunction, Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { createdAtOf } from '../core/ids.ts';
import type { Priority } from '../core/priority.ts';
import type { ChannelAdapter, ProviderNotice } from '../notifications/channel-adapter.ts';
import type { DeliverDeps } from '../notifications/delivery/deliver.ts';
import type { Delivery } from '../notifications/delivery.ts';
import type { Trigger } from '../notifications/policy/trigger-table.ts';
import type { Channel } from '../people/channels.ts';
import type { ProcessContext } from './process.ts';
import type { Stores } from './stores.ts';

const DURATION = 'schoolbell_fact_to_sent_seconds';
/** Sent at a planned time after their fact. */
const PLANNED: readonly Trigger[] = ['event.changed', 'event.unpublished', 'reminder.due'];

/** Reports a recorded result, with the trace that it belongs to. */
export type DeliveryReport = (...of: [...Parameters<DeliverDeps['report']>, traceId?: string | undefined]) => void;

/** Counts, times and logs the result of a delivery. */
export function deliveryReport(
  { log, metrics }: Pick<ProcessContext, 'log' | 'metrics'>,
  { clock }: Pick<Stores, 'clock'>,
): DeliveryReport {
  const help = 'Ends of tries, by channel, trigger and what became of the delivery';
  const settled = counterIn(metrics, 'schoolbell_deliveries_settled_total', help, ['channel', 'trigger', 'to']);
  const durations =
    (metrics.getSingleMetric(DURATION) as Histogram | undefined) ??
    new Histogram({
      name: DURATION,
      help: 'From the fact to the acceptance by the provider, of messages without a planned time',
      labelNames: ['channel', 'priority'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600],
      registers: [metrics],
    });
  return (result, row, traceId) => {
    const { trigger, channel, attempts } = row;
    settled.inc({ channel, trigger, to: result.to });
    const recordedAt = result.to === 'sent' && isSentAtOnce(row) ? createdAtOf(row.fact_id) : null;
    if (recordedAt) {
      const priority: Priority = row.urgent ? 'urgent' : 'bulk';
      const seconds = (clock.now().getTime() - recordedAt.getTime()) / 1000;
      durations.observe({ channel, priority }, Math.max(0, seconds));
    }
    const { to, id: deliveryId } = result;
    const why = 'reason' in result ? result.reason : 'detail' in result ? result.detail : undefined;
    const level = to === 'sent' ? 'debug' : to === 'quarantined' ? 'error' : 'info';
    log[level]({ deliveryId, channel, trigger, attempts, why, traceId }, `delivery.${to}`);
  };
}

const isSentAtOnce = ({ trigger, held_until, redriven_at }: Delivery): boolean =>
  !PLANNED.includes(trigger) && held_until === null && redriven_at === null;

/** The metrics label of a provider, from a closed list, because every new value creates a time series. */
type LabelOf = (provider: string) => string;

const STATE = { closed: 0, half_open: 1, open: 2 } as const;

/** A repeated refusal is logged once per provider in this time. */
const REFUSED_AGAIN_MS = 60_000;

/**
 * Logs and counts notices of providers. `provider.opened` is an error if our settings are refused, because an operator must
 * correct them, and a warning if the provider fails, which ends without us. `provider.refused`: messages wait until the
 * settings are corrected, even while the provider accepts others.
 */
export function watchProviders(
  { log, metrics }: Pick<ProcessContext, 'log' | 'metrics'>,
  channel: Channel,
  labelOf: LabelOf,
) {
  const answers = counterIn(metrics, 'schoolbell_provider_outcomes_total', 'Outcomes of messages by provider', [
    'channel',
    'provider',
    'outcome',
  ]);
  const openings = counterIn(
    metrics,
    'schoolbell_provider_opened_total',
    'How often a circuit breaker opened, and why',
    ['channel', 'provider', 'why'],
    // Prometheus sees no increase in a series that begins with 1.
    function () {
      for (const [channel, { adapter, labelOf }] of shown.get(metrics) ?? [])
        for (const { name } of adapter.breakers())
          for (const why of ['infrastructure', 'configuration']) this.inc({ channel, provider: labelOf(name), why }, 0);
    },
  );
  const refusedAt = new Map<string, number>();
  return (notice: ProviderNotice): void => {
    const { provider, outcome, detail } = notice;
    switch (notice.what) {
      case 'answered':
        answers.inc({ channel, provider: labelOf(provider), outcome });
        if (
          outcome === 'configuration' &&
          performance.now() - (refusedAt.get(provider) ?? -Infinity) > REFUSED_AGAIN_MS
        ) {
          refusedAt.set(provider, performance.now());
          log.error({ channel, provider, detail }, 'provider.refused');
        }
        return;
      case 'opened':
        openings.inc({ channel, provider: labelOf(provider), why: notice.why });
        log[notice.why === 'configuration' ? 'error' : 'warn'](
          { channel, provider, why: notice.why, detail, ms: notice.forMs },
          'provider.opened',
        );
        return;
      case 'throttled':
        log.info({ channel, provider, detail, ms: notice.forMs }, 'provider.throttled');
        return;
      case 'closed':
        log.info({ channel, provider }, 'provider.closed');
    }
  };
}

/** The counter of this name, which workers in one process share. @param collect runs before each scrape */
export function counterIn(
  metrics: Registry,
  name: string,
  help: string,
  labelNames: string[],
  collect: CollectFunction<Counter> = () => {},
): Counter {
  const known = metrics.getSingleMetric(name) as Counter | undefined;
  return known ?? new Counter({ name, help, labelNames, registers: [metrics], collect });
}

/** The channels of each process and their providers. */
const shown = new WeakMap<Registry, Map<Channel, Shown>>();

type Shown = { adapter: ChannelAdapter; labelOf: LabelOf };

/** Exports the state of each circuit breaker; for providers with one label the worst state. */
export function gaugeProviders(metrics: Registry, channel: Channel, adapter: ChannelAdapter, labelOf: LabelOf): void {
  const channels = shown.get(metrics) ?? new Map<Channel, Shown>();
  const isFirst = !shown.has(metrics);
  shown.set(metrics, channels.set(channel, { adapter, labelOf }));
  if (!isFirst) return;
  new Gauge({
    name: 'schoolbell_provider_state',
    help: 'Circuit breaker: 0 closed, 1 half-open, 2 open',
    labelNames: ['channel', 'provider'],
    registers: [metrics],
    collect() {
      this.reset();
      for (const [channel, { adapter, labelOf }] of channels) {
        const worst = new Map<string, number>();
        for (const { name, state } of adapter.breakers())
          worst.set(labelOf(name), Math.max(STATE[state], worst.get(labelOf(name)) ?? 0));
        for (const [provider, state] of worst) this.set({ channel, provider }, state);
      }
    },
  });
}

/** Describes unavailable and throttled providers for the health check. */
export function troubles({ breakers }: ChannelAdapter): Record<string, string> {
  const found: Record<string, string> = {};
  const now = performance.now();
  for (const { name, state, why, retry_at, throttled_until } of breakers()) {
    if (state !== 'closed') found[name] = `${state} (${why}), next try in ${seconds(retry_at - now)}`;
    else if (throttled_until > now) found[name] = `throttled, next try in ${seconds(throttled_until - now)}`;
  }
  return found;
}

const seconds = (ms: number): string => `${Math.max(0, Math.ceil(ms / 1000))} s`;
