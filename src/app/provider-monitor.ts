import { Gauge, type Registry } from 'prom-client';
import type { ChannelAdapter, ProviderNotice } from '../notifications/channel-adapter.ts';
import type { Channel } from '../people/channels.ts';
import { counterIn } from './counter.ts';
import type { ProcessContext } from './process.ts';

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
