import { describe, expect, it } from 'vitest';
import type { LookupAll } from '../../../src/outbound/public-connector.ts';
import { outgoing } from '../outgoing.ts';
import { browser, channelFor, service } from './push-service.ts';

describe('a push endpoint', () => {
  const resolvesTo =
    (...addresses: string[]): LookupAll =>
    (_name, _options, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );

  it('does not follow a redirect', async () => {
    const elsewhere = await service();
    const server = await service(() => ({ status: 307, headers: { Location: `${elsewhere.origin}/x` } }));
    const { channel } = channelFor([browser(`${server.origin}/1`).subscription], {
      allowedHosts: [server.origin, elsewhere.origin],
    });
    expect(await channel.send(outgoing())).toEqual({ kind: 'refused', detail: 'push 307' });
    expect(elsewhere.asked).toEqual([]);
  });

  it('that is not allowed is not contacted', async () => {
    const server = await service();
    const { channel } = channelFor([browser(`${server.origin}/1`).subscription], {
      allowedHosts: ['fcm.googleapis.com'],
    });
    expect(await channel.send(outgoing())).toEqual({ kind: 'refused', detail: 'push endpoint' });
    expect(server.asked).toEqual([]);
  });

  it.each([
    ['loopback', ['127.0.0.1']],
    ['private', ['10.0.0.7']],
    ['cloud metadata', ['169.254.169.254']],
    ['v4-mapped loopback', ['::ffff:127.0.0.1']],
    ['one private address among public ones', ['142.250.186.74', '192.168.0.1']],
  ])('whose name resolves to %s is not connected to', async (_name, addresses) => {
    const { channel } = channelFor([browser('https://fcm.googleapis.com/x').subscription], {
      allowedHosts: ['fcm.googleapis.com'],
      lookup: resolvesTo(...addresses),
    });
    expect(await channel.send(outgoing())).toEqual({ kind: 'refused', detail: 'push EPRIVATE' });
  });

  it('is checked by the DNS answer that the connection uses, so rebinding fails', async () => {
    const asked: string[] = [];
    const lookup: LookupAll = (name, _options, done) => {
      asked.push(name);
      done(null, [{ address: asked.length === 1 ? '127.0.0.1' : '142.250.186.74', family: 4 }]);
    };
    const { channel } = channelFor([browser('https://push.school.example/x').subscription], {
      allowedHosts: ['push.school.example'],
      lookup,
    });
    expect(await channel.send(outgoing())).toEqual({ kind: 'refused', detail: 'push EPRIVATE' });
    expect(asked).toEqual(['push.school.example']);
  });

  it('at a private address needs a full origin in the list', async () => {
    const { channel } = channelFor([browser('https://127.0.0.1/x').subscription], { allowedHosts: ['127.0.0.1'] });
    expect(await channel.send(outgoing())).toEqual({ kind: 'refused', detail: 'push EPRIVATE' });
  });

  it('whose name cannot be resolved is retried later', async () => {
    const { channel } = channelFor([browser('https://fcm.googleapis.com/x').subscription], {
      allowedHosts: ['fcm.googleapis.com'],
      lookup: (_name, _options, done) => done(Object.assign(new Error('fcm'), { code: 'ENOTFOUND' }), []),
    });
    expect(await channel.send(outgoing())).toEqual({ kind: 'infrastructure', detail: 'push ENOTFOUND' });
  });
});
