import { expect, test } from 'vitest';
import { queueSettings } from '../../src/app/queues.ts';

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
