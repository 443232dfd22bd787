import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/notifications/outcome.ts';
import { NOW, outgoing } from '../outgoing.ts';
import type { Answer } from '../scripted-http.ts';
import { browser, channelFor, service } from './push-service.ts';

describe('a push message', () => {
  it('is readable by its browser and has urgency and TTL', async () => {
    const server = await service();
    const { subscription, read } = browser(`${server.origin}/p/1?x=y`);
    const { channel } = channelFor([subscription]);
    const message = outgoing({ trigger: 'event.cancelled', expires_at: new Date(NOW.getTime() + 90_500) });
    expect(await channel.send(message)).toEqual({ kind: 'accepted' });
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
    await channel.send(outgoing({ trigger: 'reminder.due' }));
    expect(server.asked[0]?.headers).toMatchObject({ ttl: '86400', urgency: 'normal' });
  });

  it('about an event in half a year lives for four weeks, the longest that Firebase takes', async () => {
    const server = await service();
    const { channel } = channelFor([browser(`${server.origin}/1`).subscription]);
    await channel.send(outgoing({ expires_at: new Date(NOW.getTime() + 180 * 86_400_000) }));
    expect(server.asked[0]?.headers).toMatchObject({ ttl: '2419200' });
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
      await channel.send(message);
    }
    const topics = server.asked.map(({ headers }) => headers.topic);
    expect(topics[1]).toBe(topics[0]);
    expect(new Set(topics).size).toBe(3);
  });

  it('goes to all browsers of a person and removes only ended subscriptions', async () => {
    const server = await service(({ url }) => ({ status: url === '/gone' ? 410 : 201 }));
    const held = ['/gone', '/there'].map((path) => browser(server.origin + path).subscription);
    const { channel, removed } = channelFor(held);
    expect(await channel.send(outgoing())).toEqual({ kind: 'accepted' });
    expect(removed).toEqual([`${server.origin}/gone`]);
  });

  it('loads the subscriptions of a group with one query per school', async () => {
    const server = await service();
    const mine = browser(`${server.origin}/1`).subscription;
    const other = browser(`${server.origin}/2`, { tenant_id: 't2' }).subscription;
    const { channel, questions } = channelFor([mine, other]);
    const outcomes = await Promise.all(
      [outgoing(), outgoing({ user_id: 'u9' }), outgoing({ tenant_id: 't2' })].map(channel.send),
    );
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
    expect(await channel.send(outgoing())).toEqual({ kind: 'accepted' });
    expect(read(server.asked[1]?.body ?? Buffer.alloc(0))).toEqual({
      title: 'Concert',
      url: 'https://school.example/events/e1',
    });
  });

  it('that is still too large counts as refused', async () => {
    const server = await service(() => ({ status: 413 }));
    const { channel } = channelFor([browser(`${server.origin}/1`).subscription]);
    expect(await channel.send(outgoing())).toEqual({ kind: 'refused', detail: 'push 413' });
    expect(server.asked).toHaveLength(2);
  });

  it('that has been shortened before sending is not sent again if it is too large', async () => {
    const server = await service(() => ({ status: 413 }));
    const { channel } = channelFor([browser(`${server.origin}/1`).subscription]);
    await channel.send(outgoing({}, { person: { name: 'ř'.repeat(2000) } }));
    expect(server.asked).toHaveLength(1);
  });

  it('that does not fit in one record is shortened before sending', async () => {
    const server = await service();
    const { subscription, read } = browser(`${server.origin}/1`);
    const { channel } = channelFor([subscription]);
    await channel.send(outgoing({}, { person: { name: 'ř'.repeat(2000) } }));
    expect(read(server.asked[0]?.body ?? Buffer.alloc(0))).toEqual({
      title: 'Concert',
      url: 'https://school.example/events/e1',
    });
  });

  it.each([
    ['404', { status: 404 }, { kind: 'gone', detail: 'push 404' }],
    ['403', { status: 403 }, { kind: 'configuration', detail: 'push 403', of: 'route' }],
    ['the end of the connection', 'drop', { kind: 'transient', detail: 'push UND_ERR_SOCKET' }],
  ] as [string, Answer, Outcome][])('answered by %s', async (_name, answer, outcome) => {
    const server = await service(() => answer);
    const { channel, removed } = channelFor([browser(`${server.origin}/1`).subscription]);
    expect(await channel.send(outgoing())).toEqual(outcome);
    expect(removed).toEqual(outcome.kind === 'gone' ? [`${server.origin}/1`] : []);
  });

  it('that is not answered in time is retried', async () => {
    const server = await service(() => 'hang');
    const { channel } = channelFor([browser(`${server.origin}/1`).subscription], { sendTimeoutMs: 100 });
    expect(await channel.send(outgoing())).toEqual({ kind: 'transient', detail: 'push ETIMEDOUT' });
  });

  it('waits if the service is unreachable or the store fails', async () => {
    const nowhere = channelFor([browser('http://127.0.0.1:1/x').subscription]);
    const failing = channelFor([], { fails: true });
    expect(await nowhere.channel.send(outgoing())).toEqual({ kind: 'infrastructure', detail: 'push ECONNREFUSED' });
    expect(await failing.channel.send(outgoing())).toEqual({ kind: 'infrastructure', detail: 'push subscriptions' });
  });

  it('reaches the others if one text or key fails', async () => {
    const server = await service();
    const good = browser(`${server.origin}/1`).subscription;
    const bad = browser(`${server.origin}/2`, { user_id: 'u2', keys: { p256dh: 'nonsense', auth: 'x' } }).subscription;
    const { channel } = channelFor([good, bad]);
    const outcomes = await Promise.all(
      [outgoing({}, { person: { name: 'Broken' } }), outgoing({ user_id: 'u2' }), outgoing()].map(channel.send),
    );
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['unclassified', 'refused', 'accepted']);
  });
});
