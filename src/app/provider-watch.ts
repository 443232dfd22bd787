import { Counter, Gauge, type Registry } from 'prom-client';
import type { Channel } from '../notifications/policy/trigger.ts';
import type { ChannelAdapter, ProviderNotice } from '../notifications/ports.ts';
import type { ProcessContext } from './process.ts';

/** The label of a provider, from a closed list: every new value is a time series that is kept for ever. */
export type LabelOf = (provider: string) => string;
const itself: LabelOf = (provider) => provider;

const STATE = { closed: 0, half_open: 1, open: 2 } as const;

/** A refusal that repeats is logged so often per provider. */
const REFUSED_AGAIN_MS = 60_000;

/**
 * Logs and counts what becomes known of providers. `provider.opened` is an error where our settings are refused, since an
 * operator has to correct them, and a warning where a provider is in trouble, which ends by itself. `provider.refused` says
 * that messages wait for settings to be corrected, also while the provider takes others.
 */
export function watchProviders(
  { log, metrics }: Pick<ProcessContext, 'log' | 'metrics'>,
  channel: Channel,
  labelOf: LabelOf = itself,
) {
  const counter = (name: string, help: string, labelNames: string[]) => counterIn(metrics, name, help, labelNames);
  const answers = counter('schoolbell_provider_outcomes_total', 'What providers did with messages', [
    'channel',
    'provider',
    'outcome',
  ]);
  const openings = counter('schoolbell_provider_opened_total', 'How often a circuit breaker opened, and why', [
    'channel',
    'provider',
    'why',
  ]);
  const refusedAt = new Map<string, number>();
  return function notice(told: ProviderNotice): void {
    const { provider, outcome, detail } = told;
    switch (told.what) {
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
        openings.inc({ channel, provider: labelOf(provider), why: told.why });
        log[told.why === 'configuration' ? 'error' : 'warn'](
          { channel, provider, why: told.why, detail, ms: told.forMs },
          'provider.opened',
        );
        return;
      case 'throttled':
        log.info({ channel, provider, detail, ms: told.forMs }, 'provider.throttled');
        return;
      case 'closed':
        log.info({ channel, provider }, 'provider.closed');
    }
  };
}

function counterIn(metrics: Registry, name: string, help: string, labelNames: string[]): Counter {
  const known = metrics.getSingleMetric(name) as Counter | undefined;
  return known ?? new Counter({ name, help, labelNames, registers: [metrics] });
}

/** Channels of this process with the providers they have; a process may have several channels. */
const shown = new WeakMap<Registry, Map<Channel, Shown>>();

type Shown = { adapter: ChannelAdapter; labelOf: LabelOf };

/** Shows the state of each circuit breaker in the metrics; of providers with one label the worst. */
export function gaugeProviders(
  metrics: Registry,
  channel: Channel,
  adapter: ChannelAdapter,
  labelOf: LabelOf = itself,
): void {
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
        for (const { name, state } of adapter.breakers?.() ?? [])
          worst.set(labelOf(name), Math.max(STATE[state], worst.get(labelOf(name)) ?? 0));
        for (const [provider, state] of worst) this.set({ channel, provider }, state);
      }
    },
  });
}

/** Providers in trouble, in words, for the health of a process. */
export function troubles({ breakers }: ChannelAdapter): Record<string, string> {
  const told: Record<string, string> = {};
  const now = performance.now();
  for (const { name, state, why, retry_at, throttled_until } of breakers?.() ?? []) {
    if (state !== 'closed') told[name] = `${state} (${why}), tried again in ${seconds(retry_at - now)}`;
    else if (throttled_until > now)
      told[name] = `asked us to slow down, used again in ${seconds(throttled_until - now)}`;
  }
  return told;
}

const seconds = (ms: number): string => `${Math.max(0, Math.ceil(ms / 1000))} s`;
