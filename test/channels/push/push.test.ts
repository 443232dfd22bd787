import { createECDH, randomBytes } from 'node:crypto';
import { decrypt } from 'http_ece';
import { afterEach, describe, expect, it } from 'vitest';
import webpush from 'web-push';
import { failover } from '../../../src/channels/failover.ts';
import { pushChannel } from '../../../src/channels/push/push.ts';
import type { LookupAll } from '../../../src/channels/push/push-connector.ts';
import type { PushSubscription } from '../../../src/people/ports.ts';
import { NOW, outgoing, texts } from '../outgoing.ts';
import { type Answer, type Asked, scriptedHttp } from '../scripted-http.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const vapid = { ...webpush.generateVAPIDKeys(), subject: 'mailto:ops@school.example' };

function browser(endpoint: string, rest: Partial<PushSubscription> = {}) {
  const curve = createECDH('prime256v1');
  const auth = randomBytes(16).toString('base64url');
  const keys = { p256dh: curve.generateKeys('base64url'), auth };
  const subscription: PushSubscription = {
    id: endpoint,
    tenant_id: 't1',
    school_id: 's1',
    user_id: 'u1',
    endpoint,
    keys,
    created_at: NOW,
    ...rest,
  };
  const read = (body: Buffer) =>
    JSON.parse(decrypt(body, { version: 'aes128gcm', privateKey: curve, authSecret: auth }).toString('utf8'));
  return { subscription, read };
}

function channelFor(
  held: PushSubscription[],
  rest: { allowedHosts?: string[]; sendTimeoutMs?: number; lookup?: LookupAll; fails?: boolean } = {},
) {
  const removed: string[] = [];
  const questions: string[][] = [];
  const channel = pushChannel({
    texts,
    vapid,
    allowedHosts: rest.allowedHosts ?? held.map(({ endpoint }) => new URL(endpoint).origin),
    failover: failover({ sendTimeoutMs: rest.sendTimeoutMs ?? 2000 }),
    sendTimeoutMs: rest.sendTimeoutMs ?? 2000,
    clock: { now: () => NOW },
    ...(rest.lookup ? { lookup: rest.lookup } : {}),
    subscriptions: {
      async findMany(scope, user_ids) {
        if (rest.fails) throw new Error('mongodb://user:secret@host');
        questions.push([scope.tenant_id, scope.school_id, ...user_ids]);
        return held.filter(
          (one) =>
            one.tenant_id === scope.tenant_id && one.school_id === scope.school_id && user_ids.includes(one.user_id),
        );
      },
      async removeByEndpoint(endpoint) {
        removed.push(endpoint);
      },
    },
  });
  cleanups.push(() => channel.close());
  return { channel, removed, questions };
}

async function service(answer: (asked: Asked, nth: number) => Answer = () => ({ status: 201 })) {
  const server = await scriptedHttp(answer);
  cleanups.push(() => server.close());
  return server;
}

describe('a push message', () => {
  it('is readable by its browser and has urgency and TTL', async () => {
    const server = await service();
    const { subscription, read } = browser(`${server.origin}/p/1?x=y`);
    const { channel } = channelFor([subscription]);
    const message = outgoing({ trigger: 'event.cancelled', expires_at: new Date(NOW.getTime() + 90_500) });
    expect(await channel.send([message])).toEqual([{ kind: 'accepted' }]);
    const [asked] = server.asked;
    expect(asked).toMatchObject({ method: 'POST', url: '/p/1?x=y' });
    expect(asked?.headers).toMatchObject({ ttl: '90', urgency: 'high', 'content-encoding': 'aes128gcm' });
    expect(asked?.headers.authorization).toMatch(/^vapid t=.+, k=.+$/);
    expect(asked?.headers.topic).toMatch(/^[\w-]{1,32}$/);
    expect(read(asked?.body ?? Buffer.alloc(0))).toEqual({
      title: 'Concert',
      body: 'Dear Ada',
      url: 'https://school.example/events/e1',
      tag: asked?.headers.topic,
      delivery: 'd1',
      event: 'e1',
      tenant: 't1',
      trigger: 'event.cancelled',
    });
  });

  it('that is not urgent and has no expiry lives for a day', async () => {
    const server = await service();
    const { channel } = channelFor([browser(`${server.origin}/1`).subscription]);
    await channel.send([outgoing({ trigger: 'reminder.due' })]);
    expect(server.asked[0]?.headers).toMatchObject({ ttl: '86400', urgency: 'normal' });
  });

  it('replaces an earlier push about the same event to the same person only', async () => {
    const server = await service();
    const held = ['u1', 'u2'].map((user_id) => browser(`${server.origin}/${user_id}`, { user_id }).subscription);
    const { channel } = channelFor(held);
    for (const message of [
      outgoing({ id: 'd1' }),
      outgoing({ id: 'd2', trigger: 'event.cancelled' }),
      outgoing({ event_id: 'e2' }),
      outgoing({ user_id: 'u2' }),
    ]) {
      await channel.send([message]);
    }
    const topics = server.asked.map(({ headers }) => headers.topic);
    expect(topics[1]).toBe(topics[0]);
    expect(new Set(topics).size).toBe(3);
  });

  it('goes to all browsers of a person and removes only ended subscriptions', async () => {
    const server = await service(({ url }) => ({ status: url === '/gone' ? 410 : 201 }));
    const held = ['/gone', '/there'].map((path) => browser(server.origin + path).subscription);
    const { channel, removed } = channelFor(held);
    expect(await channel.send([outgoing()])).toEqual([{ kind: 'accepted' }]);
    expect(removed).toEqual([`${server.origin}/gone`]);
  });

  it('loads the subscriptions of a group with one query per school', async () => {
    const server = await service();
    const mine = browser(`${server.origin}/1`).subscription;
    const other = browser(`${server.origin}/2`, { tenant_id: 't2' }).subscription;
    const { channel, questions } = channelFor([mine, other]);
    const outcomes = await channel.send([outgoing(), outgoing({ user_id: 'u9' }), outgoing({ tenant_id: 't2' })]);
    expect(outcomes).toEqual([{ kind: 'accepted' }, { kind: 'gone', detail: 'no subscription' }, { kind: 'accepted' }]);
    expect(questions).toEqual([
      ['t1', 's1', 'u1', 'u9'],
      ['t2', 's1', 'u1'],
    ]);
  });

  it('that is too large is sent again with title and link only', async () => {
    const server = await service((_asked, nth) => ({ status: nth === 1 ? 413 : 201 }));
    const { subscription, read } = browser(`${server.origin}/1`);
    const { channel } = channelFor([subscription]);
    expect(await channel.send([outgoing()])).toEqual([{ kind: 'accepted' }]);
    expect(read(server.asked[1]?.body ?? Buffer.alloc(0))).toEqual({
      title: 'Concert',
      url: 'https://school.example/events/e1',
    });
  });

  it('that is still too large counts as refused', async () => {
    const server = await service(() => ({ status: 413 }));
    const { channel } = channelFor([browser(`${server.origin}/1`).subscription]);
    expect(await channel.send([outgoing()])).toEqual([{ kind: 'refused', detail: 'push 413' }]);
    expect(server.asked).toHaveLength(2);
  });

  it('that does not fit in one record is shortened before sending', async () => {
    const server = await service();
    const { subscription, read } = browser(`${server.origin}/1`);
    const { channel } = channelFor([subscription]);
    await channel.send([outgoing({}, { person: { name: 'ř'.repeat(2000) } })]);
    expect(read(server.asked[0]?.body ?? Buffer.alloc(0))).toEqual({
      title: 'Concert',
      url: 'https://school.example/events/e1',
    });
  });

  it.each([
    ['404', { status: 404 }, { kind: 'gone', detail: 'push 404' }],
    [
      '429',
      { status: 429, headers: { 'Retry-After': '9' } },
      { kind: 'throttled', detail: 'push 429', retry_after_ms: 9000 },
    ],
    ['403', { status: 403 }, { kind: 'configuration', detail: 'push 403', of: 'route' }],
    ['500', { status: 500 }, { kind: 'transient', detail: 'push 500' }],
    ['the end of the connection', 'drop', { kind: 'transient', detail: 'push UND_ERR_SOCKET' }],
  ] as [string, Answer, object][])('answered by %s', async (_name, answer, outcome) => {
    const server = await service(() => answer);
    const { channel } = channelFor([browser(`${server.origin}/1`).subscription]);
    expect(await channel.send([outgoing()])).toEqual([outcome]);
  });

  it('that is not answered in time is retried', async () => {
    const server = await service(() => 'hang');
    const { channel } = channelFor([browser(`${server.origin}/1`).subscription], { sendTimeoutMs: 100 });
    expect(await channel.send([outgoing()])).toEqual([{ kind: 'transient', detail: 'push ETIMEDOUT' }]);
  });

  it('waits if the service is unreachable or the store fails', async () => {
    const nowhere = channelFor([browser('http://127.0.0.1:1/x').subscription]);
    const failing = channelFor([], { fails: true });
    expect(await nowhere.channel.send([outgoing()])).toEqual([{ kind: 'infrastructure', detail: 'push ECONNREFUSED' }]);
    expect(await failing.channel.send([outgoing()])).toEqual([
      { kind: 'infrastructure', detail: 'push subscriptions' },
    ]);
  });

  it('reaches the others if one text or key fails', async () => {
    const server = await service();
    const good = browser(`${server.origin}/1`).subscription;
    const bad = browser(`${server.origin}/2`, { user_id: 'u2', keys: { p256dh: 'nonsense', auth: 'x' } }).subscription;
    const { channel } = channelFor([good, bad]);
    const outcomes = await channel.send([
      outgoing({}, { person: { name: 'Broken' } }),
      outgoing({ user_id: 'u2' }),
      outgoing(),
    ]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['unclassified', 'refused', 'accepted']);
  });
});

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
    expect(await channel.send([outgoing()])).toEqual([{ kind: 'refused', detail: 'push 307' }]);
    expect(elsewhere.asked).toEqual([]);
  });

  it('that is not allowed is not contacted', async () => {
    const server = await service();
    const { channel } = channelFor([browser(`${server.origin}/1`).subscription], {
      allowedHosts: ['fcm.googleapis.com'],
    });
    expect(await channel.send([outgoing()])).toEqual([{ kind: 'refused', detail: 'push endpoint' }]);
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
    expect(await channel.send([outgoing()])).toEqual([{ kind: 'refused', detail: 'push EPRIVATE' }]);
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
    expect(await channel.send([outgoing()])).toEqual([{ kind: 'refused', detail: 'push EPRIVATE' }]);
    expect(asked).toEqual(['push.school.example']);
  });

  it('at a private address needs a full origin in the list', async () => {
    const { channel } = channelFor([browser('https://127.0.0.1/x').subscription], { allowedHosts: ['127.0.0.1'] });
    expect(await channel.send([outgoing()])).toEqual([{ kind: 'refused', detail: 'push EPRIVATE' }]);
  });

  it('whose name cannot be resolved is retried later', async () => {
    const { channel } = channelFor([browser('https://fcm.googleapis.com/x').subscription], {
      allowedHosts: ['fcm.googleapis.com'],
      lookup: (_name, _options, done) => done(Object.assign(new Error('fcm'), { code: 'ENOTFOUND' }), []),
    });
    expect(await channel.send([outgoing()])).toEqual([{ kind: 'infrastructure', detail: 'push ENOTFOUND' }]);
  });
});
