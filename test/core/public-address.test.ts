import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/core/public-address.ts';

describe('a public address', () => {
  it.each([
    '8.8.8.8',
    '142.250.186.74',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '2a00:1450:4014:80b::200a',
    '2600::1',
  ])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('not a public address', () => {
  it.each([
    ['0.0.0.0', 'this host'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['169.254.169.254', 'cloud metadata'],
    ['198.18.0.1', 'benchmarks'],
    ['224.0.0.1', 'multicast'],
    ['239.255.255.255', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'this host'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'v4-mapped loopback'],
    ['::ffff:10.0.0.1', 'v4-mapped private'],
    ['::ffff:7f00:1', 'v4-mapped, in hex'],
    ['::127.0.0.1', 'v4-compatible'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['2002:7f00:1::', '6to4'],
    ['2001:0:1::1', 'Teredo'],
    ['fc00::1', 'unique local'],
    ['fd12:3456::1', 'unique local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local with a zone'],
    ['ff02::1', 'multicast'],
    ['localhost', 'no address'],
    ['', 'no address'],
  ])('is %s (%s)', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
