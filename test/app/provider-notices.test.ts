import { Registry } from 'prom-client';
import { expect, it, vi } from 'vitest';
import { watchProviders } from '../../src/app/provider-monitor.ts';

it('logs an error the first time a provider refuses our settings, even if it accepts other messages', async () => {
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
