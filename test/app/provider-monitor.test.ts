import { Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { gaugeProviders, watchProviders } from '../../src/app/provider-monitor.ts';
import type { ChannelAdapter } from '../../src/notifications/channel-adapter.ts';
import { PUSH_HOSTS, pushServiceOf } from '../../src/people/push-endpoint.ts';

const labelOf = (host: string) => pushServiceOf(host, PUSH_HOSTS);
const HOSTS = ['a1.notify.windows.com', 'b2.notify.windows.com', 'c3.notify.windows.com', 'fcm.googleapis.com'];

const labelsIn = (text: string) => [...new Set([...text.matchAll(/provider="([^"]+)"/g)].map(([, name]) => name))];

test('labels push services by the allowed hosts, however many hosts subscriptions name', async () => {
  const metrics = new Registry();
  const log = { info() {}, warn() {}, error() {} } as never;
  const notice = watchProviders({ log, metrics }, 'push', labelOf);
  for (const provider of HOSTS) {
    notice({ provider, outcome: 'accepted', detail: null, what: 'answered' });
    notice({ provider, outcome: 'infrastructure', detail: null, what: 'opened', why: 'infrastructure', forMs: 1000 });
  }
  const breakers = () => HOSTS.map((name) => ({ name, state: 'closed' }));
  gaugeProviders(metrics, 'push', { breakers } as unknown as ChannelAdapter, labelOf);
  expect(labelsIn(await metrics.metrics()).sort()).toEqual(['*.notify.windows.com', 'fcm.googleapis.com']);
});

test('counts no openings of a known provider as 0 from the first scrape on', async () => {
  const metrics = new Registry();
  watchProviders({ log: {} as never, metrics }, 'email', (name) => name);
  const breakers = () => [{ name: 'mail:587', state: 'closed' }];
  gaugeProviders(metrics, 'email', { breakers } as unknown as ChannelAdapter, (name) => name);
  const scraped = await metrics.metrics();
  for (const why of ['infrastructure', 'configuration'])
    expect(scraped).toContain(`schoolbell_provider_opened_total{channel="email",provider="mail:587",why="${why}"} 0`);
});

test('logs an error the first time a provider refuses our settings, even if it accepts other messages', async () => {
  const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };
  const metrics = new Registry();
  const notice = watchProviders({ log, metrics } as never, 'email', (provider) => provider);
  for (let n = 0; n < 3; n += 1) {
    notice({ what: 'answered', provider: 'mx', outcome: 'configuration', detail: 'smtp 554 5.7.1' });
    notice({ what: 'answered', provider: 'mx', outcome: 'accepted', detail: null });
  }
  expect(log.error.mock.calls).toEqual([
    [{ channel: 'email', provider: 'mx', detail: 'smtp 554 5.7.1' }, 'provider.refused'],
  ]);
  expect(await metrics.metrics()).toContain('outcome="configuration"} 3');
});
