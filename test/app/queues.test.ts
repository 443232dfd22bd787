import { expect, test, vi } from 'vitest';
import { publishOrLog, queueSettings } from '../../src/app/queues.ts';
import type { FactQueue, UnpublishedFact } from '../../src/outbox/ports.ts';

const prefixOf = (uri: string, prefix: string | null = null) =>
  queueSettings({ mongo: { uri }, redis: { url: 'redis://cache', prefix } }).prefix;

test.each([
  ['mongodb://db/school', 'schoolbell-school'],
  ['mongodb://a:27017,b:27018/school?replicaSet=rs0', 'schoolbell-school'],
  ['mongodb+srv://user:pass@cluster.example/school_2?retryWrites=true', 'schoolbell-school_2'],
  ['mongodb://db/sch%20ool.x', 'schoolbell-sch_20ool_x'],
  ['mongodb://db', 'schoolbell-test'],
  ['mongodb://db/?replicaSet=rs0', 'schoolbell-test'],
])('the keys of %s begin with %s', (uri, expected) => {
  expect(prefixOf(uri)).toBe(expected);
});

test('all keys of a cluster have one hash tag', () => {
  const redis = { url: 'redis://node-1:6379?cluster=true', prefix: null };
  expect(queueSettings({ mongo: { uri: 'mongodb://db/school' }, redis }).prefix).toBe('{schoolbell-school}');
});

test('two databases don’t share keys, and a prefix that is set is taken', () => {
  expect(prefixOf('mongodb://db/a')).not.toBe(prefixOf('mongodb://db/b'));
  expect(prefixOf('mongodb://db/a', 'bell-2')).toBe('bell-2');
});

test('an outage of the queue of facts is logged once, and the next outage again', async () => {
  const publish = vi.fn<FactQueue['publish']>();
  const log = { warn: vi.fn() };
  const queue: FactQueue = { publish, publishParts: vi.fn(), countWaiting: async () => 0, isIdle: async () => true };
  const facts: UnpublishedFact[] = [{ id: 'f1', type: 'event.published', tenant_id: 't1', urgent: false }];
  const error = new Error('Redis does not answer');
  const record = publishOrLog(queue, log);
  publish.mockRejectedValueOnce(error).mockRejectedValueOnce(error);
  await record(facts);
  await record(facts);
  expect(log.warn.mock.calls).toEqual([[{ queue: 'fan-out', error }, 'queue.error']]);
  publish.mockResolvedValueOnce().mockRejectedValueOnce(error);
  await record(facts);
  await record(facts);
  expect(log.warn).toHaveBeenCalledTimes(2);
});
