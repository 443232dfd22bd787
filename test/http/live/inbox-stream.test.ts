import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { signToken } from '../../../src/http/auth/token.ts';
import type { HttpOptions } from '../../../src/http/deps.ts';
import type { StoredEntry } from '../../../src/notifications/inbox/entry.ts';
import { NOW } from '../../support/builders.ts';
import { callerOf, PARENT, type Served, serveAnew, TOKENS, type Who } from '../../support/http/http-app.ts';
import { aFact, anEntry } from '../../support/message-builders.ts';
import { type ReadStream, readStream } from '../../support/read-stream.ts';

const STREAM = '/api/v1/me/inbox/stream';

const open: ReadStream[] = [];
const serving: Served[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(() => Promise.all(serving.map(({ app }) => app.close())));

async function startServer(streams: NonNullable<HttpOptions['streams']> = {}) {
  const served = await serveAnew({ streams });
  serving.push(served);
  return { ...served, origin: await served.app.listen({ port: 0 }) };
}

const shared = await startServer();

/** An empty inbox behind the server that the tests share, or behind one of its own. */
async function listening(own?: Awaited<ReturnType<typeof startServer>>) {
  const it = own ?? shared;
  await it.clean();
  const { origin } = it;
  const { tables, signals } = it;
  const read = async (who: Who = PARENT, query = '', headers: Record<string, string> = {}, expiresInSeconds = 60) => {
    const token = await signToken({ ...TOKENS, expiresInSeconds }, callerOf(who));
    const stream = await readStream(`${origin}${STREAM}${query}`, { authorization: `Bearer ${token}`, ...headers });
    open.push(stream);
    return stream;
  };
  await it.given({ id: 'e1' });
  /** As the fan-out of another process does. */
  const arrive = async (id: string, user_id = 'eva', more: Partial<StoredEntry> = {}, settled_at = NOW) => {
    const entry = anEntry({ id, user_id, event_id: 'e1', settled_at, ...more });
    await tables.inbox.put(entry);
    signals.inbox.tell({ arrived: [entry] });
  };
  return { ...it, read, arrive };
}

describe('the stream of an inbox', () => {
  it('sends the counts first, then each message followed by the counts', async () => {
    const { read, arrive } = await listening();
    const stream = await read();
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.headers.get('cache-control')).toContain('no-store');
    expect((await stream.next('ready')).data).toEqual({ unread_count: 0, unseen_count: 0 });
    await arrive('m1');
    const message = await stream.next('message');
    expect(message.id).toBe(String(Date.UTC(2026, 8, 1, 8) / 1000));
    expect(message.data).toMatchObject({ id: 'm1', title: 'Concert', read_at: null });
    expect(message.data).not.toHaveProperty('tenant_id');
    expect((await stream.next('unread')).data).toEqual({ unread_count: 1, unseen_count: 1 });
  });

  it('sends a mark of one tab to every tab', async () => {
    const { read, arrive, ask } = await listening();
    await arrive('m1');
    await arrive('m2');
    const tabs = [await read(), await read()];
    await ask(PARENT, 'POST', '/api/v1/me/inbox/m1/read');
    for (const tab of tabs) {
      expect((await tab.next('marked')).data).toEqual({ mark: 'read', id: 'm1' });
      expect((await tab.next('unread')).data).toEqual({ unread_count: 1, unseen_count: 1 });
    }
    await ask(PARENT, 'POST', '/api/v1/me/inbox/seen');
    for (const tab of tabs) expect((await tab.next('unread')).data).toEqual({ unread_count: 1, unseen_count: 0 });
  });

  it('never sends messages of another person, school or tenant', async () => {
    const { read, arrive } = await listening();
    const stream = await read();
    await stream.next('ready');
    await arrive('x1', 'other');
    await arrive('x2', 'eva', { school_id: 's2' });
    await arrive('x3', 'eva', { tenant_id: 't2' });
    await arrive('mine');
    await stream.next('unread');
    expect(stream.seen.filter(({ event }) => event === 'message').map(({ data }) => data.id)).toEqual(['mine']);
  });

  it('leaves out messages about hidden events and marks those that no longer hold', async () => {
    const { read, arrive, given } = await listening();
    await given({ id: 'hidden', status: 'draft' });
    await given({ id: 'cancelled', status: 'cancelled' });
    const stream = await read();
    await stream.next('ready');
    await arrive('m1', 'eva', { event_id: 'hidden' });
    await arrive('m2', 'eva', { event_id: 'cancelled' });
    expect((await stream.next('message')).data).toMatchObject({ id: 'm2', superseded: true });
    expect((await stream.next('unread')).data).toEqual({ unread_count: 1, unseen_count: 1 });
  });

  it('sends missed messages in order after a reconnect', async () => {
    const { read, arrive, now } = await listening();
    const first = await read();
    const { id = '' } = await first.next('ready');
    first.close();
    for (const [i, message] of ['m1', 'm2', 'm3'].entries())
      await arrive(message, 'eva', {}, new Date(+now.at + i * 1000));
    const again = await read(PARENT, '', { 'last-event-id': id });
    await again.next('ready');
    for (const message of ['m1', 'm2', 'm3']) expect((await again.next('message')).data.id).toBe(message);
  });

  it('sends reset if too many messages were missed or the last id is unknown', async () => {
    const { read, arrive } = await listening();
    await Promise.all(Array.from({ length: 201 }, (_, i) => arrive(`m${i}`)));
    await (await read(PARENT, '', { 'last-event-id': '1' })).next('reset');
    await (await read(PARENT, '', { 'last-event-id': 'yesterday' })).next('reset');
  });

  it('accepts a token only in the header', async () => {
    const { origin } = await listening();
    const token = await signToken(TOKENS, callerOf(PARENT));
    expect((await fetch(`${origin}${STREAM}`)).status).toBe(401);
    expect((await fetch(`${origin}${STREAM}?access_token=${token}`)).status).toBe(401);
  });

  it('ends with the reason token when the token expires', async () => {
    const { read, now } = await listening();
    now.at = new Date();
    // Whole seconds: of one there may be nothing left when it is asked.
    const stream = await read(PARENT, '', {}, 3);
    expect((await stream.rest()).at(-1)).toMatchObject({ event: 'end', data: { why: 'token' } });
  });

  it('ends immediately when the process stops', async () => {
    const { read, app, signals } = await listening(await startServer());
    const stream = await read();
    await stream.next('ready');
    await app.close();
    expect((await stream.rest()).at(-1)).toMatchObject({ event: 'end', data: { why: 'shutdown' } });
    expect(signals.inbox.listeners.size).toBe(0);
  });

  it('ends if the change stream fails, and the next stream listens again', async () => {
    const { read, arrive, signals } = await listening();
    const stream = await read();
    await stream.next('ready');
    signals.inbox.lose();
    expect((await stream.rest()).at(-1)).toMatchObject({ event: 'end', data: { why: 'lost' } });
    const again = await read();
    await arrive('m1');
    expect((await again.next('message')).data.id).toBe('m1');
  });

  it('sends heartbeats', async () => {
    const { read, arrive } = await listening(await startServer({ heartbeatMs: 5 }));
    const stream = await read();
    for (let i = 0; !stream.comments.includes('heartbeat'); i++) {
      await arrive(`m${i}`);
      await stream.next('unread');
    }
  });

  it('is limited per person and per process, and a closed stream frees its place', async () => {
    const { read } = await listening(await startServer({ perPerson: 2, total: 3 }));
    const [first] = [await read(), await read()];
    expect(await read()).toMatchObject({ status: 429 });
    await read({ ...PARENT, user_id: 'adam' });
    const full = await read({ ...PARENT, user_id: 'jana' });
    expect(full.status).toBe(503);
    expect(full.headers.get('retry-after')).toBe('5');
    first?.close();
    await expect.poll(async () => (await read()).status).toBe(200);
  });

  it('disconnects a client that does not read', async () => {
    const { origin, arrive, read } = await listening(await startServer({ perPerson: 1 }));
    const token = await signToken(TOKENS, callerOf(PARENT));
    const { hostname, port } = new URL(origin);
    const slow = request({ hostname, port, path: STREAM, headers: { authorization: `Bearer ${token}` } });
    slow.on('error', () => {}).end();
    const [response]: [IncomingMessage] = (await once(slow, 'response')) as never;
    response.once('error', () => {});
    await once(response, 'data');
    response.pause();
    // The kernel buffers an unknown amount, so send until the slow client is disconnected.
    let next = await read();
    for (let i = 0; next.status === 429; i++) {
      await arrive(`m${i}`, 'eva', { body: 'x'.repeat(1024 * 1024) });
      next = await read();
    }
    expect(next.status).toBe(200);
    slow.destroy();
  });

  it('does not wait for idle connections when the server closes', async () => {
    const { origin, app } = await listening(await startServer());
    const { hostname, port } = new URL(origin);
    const unused = connect({ host: hostname, port: Number(port) }).on('error', () => {});
    await once(unused, 'connect');
    await app.close();
    unused.destroy();
  });
});

describe('hints on events', () => {
  const viewer: Who = { ...PARENT, permissions: ['events.view'] };
  const nextHint = async (stream: ReadStream) => (await stream.next('event.changed')).data as unknown;

  it('send ids of changed events to people who may see them', async () => {
    const { read, given, signals } = await listening();
    const [parents, staff] = [
      await read(viewer, '?events=true'),
      await read({ ...viewer, roles: ['staff'] }, '?events=true'),
    ];
    const [open, closed] = [await given(), await given({ visibility: 'staff_only' })];
    const elsewhere = await given({ school_id: 's2' });
    for (const { id } of [open, closed, elsewhere, open]) signals.events.tell(id);
    expect(await nextHint(parents)).toEqual({ ids: [open.id], some_gone: false });
    expect(await nextHint(staff)).toEqual({ ids: [open.id, closed.id], some_gone: false });
  });

  it('name to a page that opens the events that changed while it loaded', async () => {
    const { read, given, signals } = await listening();
    const first = await read(viewer, '?events=true');
    const [before, after] = [await given(), await given()];
    signals.events.tell(before.id);
    await nextHint(first);
    const [opened, reconnected] = [
      await read(viewer, '?events=true'),
      await read(viewer, '?events=true', { 'last-event-id': String(NOW.getTime() / 1000) }),
    ];
    expect(await nextHint(opened)).toEqual({ ids: [before.id], some_gone: false });
    signals.events.tell(after.id);
    expect(await nextHint(reconnected)).toEqual({ ids: [after.id], some_gone: false });
  });

  it('say without an id that an event is no longer visible', async () => {
    const { read, given, signals, tables } = await listening();
    const stream = await read(viewer, '?events=true');
    const [gone, never] = [await given({ status: 'draft' }), await given({ status: 'draft' })];
    await tables.facts.put(aFact('event.unpublished', {}, { id: 'f1', event_id: gone.id, occurred_at: new Date() }));
    signals.events.tell(never.id);
    signals.events.tell(gone.id);
    expect(await nextHint(stream)).toEqual({ ids: [], some_gone: true });
  });

  it('are sent only on request and need the permission events.view', async () => {
    const { read, signals } = await listening(await startServer());
    await (await read()).next('ready');
    expect(signals.events.listeners.size).toBe(0);
    expect(await read({ ...viewer, permissions: [] }, '?events=true')).toMatchObject({ status: 403 });
    await (await read(viewer, '?events=true')).next('ready');
    expect(signals.events.listeners.size).toBe(1);
  });
});
