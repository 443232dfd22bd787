import { expect, it } from 'vitest';
import { parseRedisUrl } from '../../src/queues/redis-url.ts';

const PLAIN = {
  hosts: [{ host: 'h', port: 6379 }],
  username: '',
  password: '',
  db: 0,
  tls: false,
  caFile: null,
  cluster: false,
  sentinel: null,
  sentinelPassword: null,
};

it.each([
  ['redis://h', PLAIN],
  ['redis://[::1]:7000/2', { ...PLAIN, hosts: [{ host: '::1', port: 7000 }], db: 2 }],
  ['rediss://:p%40ss@h', { ...PLAIN, password: 'p@ss', tls: true }],
  [
    'rediss://bell:a:b@h?tlsCAFile=/ca.pem',
    { ...PLAIN, username: 'bell', password: 'a:b', tls: true, caFile: '/ca.pem' },
  ],
  ['redis://h?cluster=true', { ...PLAIN, cluster: true }],
  [
    'redis://:secret@a,b:5000/1?sentinel=bell&sentinelPassword=other',
    {
      ...PLAIN,
      hosts: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 5000 },
      ],
      password: 'secret',
      db: 1,
      sentinel: 'bell',
      sentinelPassword: 'other',
    },
  ],
])('reads %s', (url, parts) => {
  expect(parseRedisUrl(url)).toEqual(parts);
});

it.each([
  ['h:6379', 'must be redis://… or rediss://…'],
  ['redis://', 'must be redis://… or rediss://…'],
  ['redis://h:port', 'must name hosts as host or host:port'],
  ['redis://h?clutser=true', 'must have no parameters but cluster, sentinel, sentinelPassword, tlsCAFile'],
  ['redis://bell:100%@h', 'must have % in the user and the password as %25'],
  ['redis://a,b', 'must have one host, or cluster or sentinel'],
  ['redis://a?cluster=true&sentinel=bell', 'must have either cluster or sentinel'],
])('rejects %s and says why', (url, why) => {
  expect(() => parseRedisUrl(url)).toThrow(new RangeError(why));
});
