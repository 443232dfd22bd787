import { Counter, Gauge, type Registry } from 'prom-client';
import type { ChannelAdapter, ProviderNotice } from '../notifications/ports.ts';
import { healthOf, type Standing } from '../notifications/standing.ts';
import type { Channel } from '../notifications/trigger.ts';
import type { ProcessContext } from '../process.ts';

const STATE = { closed: 0, half_open: 1, open: 2 } as const;

/** A refusal that repeats is logged so often per provider. */
const REFUSED_AGAIN_MS = 60_000;

/**
 * Tells people how providers do: `provider.opened` is an error where our settings are refused, since somebody has to mend
 * them, and a warning where a provider is in trouble, which ends by itself. `provider.refused` says that messages wait for
 * settings to be mended, also while the provider takes others.
 */
export function watchProviders({ log, metrics }: Pick<ProcessContext, 'log' | 'metrics'>, channel: Channel) {
  const counter = (name: string, help: string, labelNames: string[]) => counterIn(metrics, name, help, labelNames);
  const answers = counter('schoolbell_provider_outcomes_total', 'What providers did with messages', [
    'channel',
    'provider',
    'outcome',
  ]);
  const openings = counter('schoolbell_provider_opened_total', 'How often a provider was left alone, and why', [
    'channel',
    'provider',
    'why',
  ]);
  const refusedAt = new Map<string, number>();
  return function notice(told: ProviderNotice): void {
    const { provider, outcome, detail } = told;
    switch (told.what) {
      case 'answered':
        answers.inc({ channel, provider, outcome });
        if (
          outcome === 'configuration' &&
          performance.now() - (refusedAt.get(provider) ?? -Infinity) > REFUSED_AGAIN_MS
        ) {
          refusedAt.set(provider, performance.now());
          log.error({ channel, provider, detail }, 'provider.refused');
        }
        return;
      case 'opened':
        openings.inc({ channel, provider, why: told.why });
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
const shown = new WeakMap<Registry, Map<Channel, ChannelAdapter>>();

/** Shows the state of each provider when somebody reads the metrics. */
export function gaugeProviders(metrics: Registry, channel: Channel, adapter: ChannelAdapter): void {
  const adapters = shown.get(metrics) ?? new Map<Channel, ChannelAdapter>();
  const isFirst = !shown.has(metrics);
  shown.set(metrics, adapters.set(channel, adapter));
  if (!isFirst) return;
  const gauge = (name: string, help: string, of: (standing: Standing) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['channel', 'provider'],
      registers: [metrics],
      collect() {
        this.reset();
        for (const [channel, { choice }] of adapters) {
          for (const one of choice?.standings() ?? []) this.set({ channel, provider: one.name }, of(one));
        }
      },
    });
  gauge('schoolbell_provider_state', '0 in use, 1 tried out, 2 left alone', ({ state }) => STATE[state]);
  gauge('schoolbell_provider_health', 'Share of messages it answered lately', (one) =>
    healthOf(one, performance.now()),
  );
  gauge('schoolbell_provider_seconds', 'What a message takes there lately', ({ ms }) => (ms ?? 0) / 1000);
}

/** In words, for the health of a process; providers that do well are not told of. */
export function troubles({ choice }: ChannelAdapter): Record<string, string> {
  const told: Record<string, string> = {};
  const now = performance.now();
  for (const { name, state, why, until, rests_until } of choice?.standings() ?? []) {
    if (state !== 'closed') told[name] = `${state} (${why}), tried again in ${seconds(until - now)}`;
    else if (rests_until > now) told[name] = `asked us to slow down, used again in ${seconds(rests_until - now)}`;
  }
  return told;
}

const seconds = (ms: number): string => `${Math.max(0, Math.ceil(ms / 1000))} s`;
