import { expect, test, vi } from 'vitest';
import { outageLog } from '../../src/app/outage-log.ts';

test('an outage is logged once, and its end with its length when every connection is back', () => {
  vi.useFakeTimers();
  const log = { warn: vi.fn(), info: vi.fn() };
  const report = outageLog(log, 'redis');
  report('a', true);
  report('a', false);
  report('b', false);
  report('a', false);
  vi.advanceTimersByTime(90_000);
  report('a', true);
  expect(log.info).not.toHaveBeenCalled();
  vi.advanceTimersByTime(500);
  report('b', true);
  report('b', true);
  expect(log.warn.mock.calls).toEqual([[{ server: 'redis' }, 'connection.lost']]);
  expect(log.info.mock.calls).toEqual([[{ server: 'redis', ms: 90_500 }, 'connection.recovered']]);
  vi.useRealTimers();
});
