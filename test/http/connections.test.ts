import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { busy } from '../../src/core/errors.ts';
import { signToken } from '../../src/http/auth/token.ts';
import type { ConnectionLimits } from '../../src/http/connections.ts';
import type { HttpDeps } from '../../src/http/deps.ts';
import { callerOf, E, STAFF, serveAnew, TOKENS } from '../support/http/http-app.ts';

const QUICK: Partial<ConnectionLimits> = { headersMs: 300, bodyMs: 500, streamMs: 60_000, checkMs: 50, idleMs: 5_000 };

const apps: FastifyInstance[] = [];
const sockets: Socket[] = [];

/** @returns the port of a new application */
async function listen(connections: Partial<ConnectionLimits> = {}, change: Partial<HttpDeps> = {}): Promise<number> {
  const options = { connections: { ...QUICK, ...connections }, streams: { heartbeatMs: 100 } };
  const { app } = await serveAnew(options, change);
  apps.push(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}

let quick: number;
beforeAll(async () => {
  quick = await listen();
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => Promise.all(apps.map((app) => app.close())));

/** Opens a socket. @returns it, all that it has received, and a promise of its end */
function open(port: number, localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  const received = { text: '' };
  socket.on('data', (bytes) => {
    received.text += bytes;
  });
  socket.on('error', () => {});
  // Not `once`, which rejects when the server ends a connection under a write.
  return { socket, received, closed: new Promise((resolve) => socket.once('close', resolve)) };
}

const head = async (method: string, url: string, headers: Record<string, string>) => {
  const authorization = `Bearer ${await signToken(TOKENS, callerOf({ ...STAFF, permissions: ['events.view', 'events.create', 'events.contacts.manage'] }))}`;
  const lines = Object.entries({ host: 'x', authorization, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
};

/** Sends a byte every so often until the connection is closed. @returns after how many milliseconds it was */
async function drip(socket: Socket, bytes: string): Promise<number> {
  const began = performance.now();
  const timer = setInterval(() => socket.writable && socket.write(bytes), 50);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(timer);
  return performance.now() - began;
}

test('closes a connection that sends no request', async () => {
  const { closed } = open(quick);
  await closed;
});

test('closes a connection whose head comes byte by byte', async () => {
  const { socket, received } = open(quick);
  socket.write('GET /health/live HTTP/1.1\r\nx: ');
  expect(await drip(socket, 'x')).toBeLessThan(5_000);
  expect(received.text).toContain('408');
});

test('closes a connection whose body comes byte by byte', async () => {
  const { socket, received } = open(quick);
  socket.write(await head('POST', E, { 'content-type': 'application/json', 'content-length': '100000' }));
  expect(await drip(socket, ' ')).toBeLessThan(5_000);
  expect(received.text).toContain('408');
});

test.each([
  ['that are not HTTP', 'GARBAGE\r\n\r\n', 400, 'malformed'],
  ['with a head that is too long', `GET /?${'x'.repeat(70_000)} HTTP/1.1\r\n\r\n`, 413, 'too_large'],
])('answers bytes %s with a problem', async (_name, bytes, status, code) => {
  const { socket, received, closed } = open(await listen());
  socket.write(bytes);
  await closed;
  const [head = '', body = ''] = received.text.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*\r\ncontent-type: application/problem\\+json\r\n`));
  expect(JSON.parse(body)).toMatchObject({ status, code });
});

test('closes a connection whose body goes on after it was refused', async () => {
  const { socket, received } = open(quick);
  const headers = { authorization: 'none', 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' };
  socket.write(await head('POST', '/api/v1/operations/contacts/import', headers));
  expect(await drip(socket, '1\r\n \r\n')).toBeLessThan(5_000);
  expect(received.text).toContain('401');
});

test('reads a body that arrived while the process itself was busy', async () => {
  const { socket, received, closed } = open(quick);
  const headers = { 'content-type': 'application/json', 'content-length': '2', connection: 'close' };
  socket.write(await head('POST', E, headers));
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.write('{}');
  for (const until = performance.now() + 800; performance.now() < until; );
  await closed;
  expect(received.text).toContain('HTTP/1.1 422');
});

test('lets a streamed import take its time', async () => {
  const { socket, received, closed } = open(quick);
  const headers = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked', connection: 'close' };
  socket.write(await head('POST', '/api/v1/operations/contacts/import', headers));
  const timer = setInterval(() => socket.write('1\r\n\n\r\n'), 50);
  // Twice as long as any other body may take.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  // A chunk after the last one would be the start of a malformed request.
  clearInterval(timer);
  socket.write('0\r\n\r\n');
  await closed;
  expect(received.text).toContain('HTTP/1.1 200');
});

const bytesGivenUp = async (body: AsyncIterable<unknown>) => {
  for await (const _some of body) throw busy('The disk is full.');
  throw new Error('no body');
};
const directoryAway = { findMany: () => Promise.reject(busy('The database does not answer.')) };
const UPLOADS: [what: string, status: number, path: string, change: Partial<HttpDeps>][] = [
  ['upload was too large', 413, 'files?name=a.txt', {}],
  ['upload could not be stored', 503, 'files?name=a.txt', { receiveFile: bytesGivenUp }],
  ['import could not be stored', 503, 'contacts/import', { contacts: directoryAway as never }],
];
test.each(UPLOADS)('answers the next request of a connection whose %s', async (_what, status, path, change) => {
  const { socket, received, closed } = open(await listen({}, change));
  const file = Buffer.alloc(1_000_000, '{"user_id":"jan","name":"Jan"}\n');
  const type = path.startsWith('files') ? 'text/plain' : 'application/x-ndjson';
  const headers = { 'content-type': type, 'content-length': String(file.length) };
  socket.write(await head('POST', `/api/v1/operations/${path}`, headers));
  socket.write(file);
  socket.write(await head('GET', '/health/live', { connection: 'close' }));
  await closed;
  expect(received.text.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, 'HTTP/1.1 200']);
});

test('keeps a live stream open longer than any of the limits', async () => {
  const { socket, received } = open(await listen({ idleMs: 400 }));
  socket.write(await head('GET', '/api/v1/me/inbox/stream', {}));
  await expect.poll(() => received.text.split(/^:/m).length, { timeout: 10_000 }).toBeGreaterThan(12);
  expect(socket.closed).toBe(false);
});

test('closes a connection that is idle after an answer', async () => {
  const { socket, closed } = open(await listen({ keepAliveMs: 300 }));
  socket.write(await head('GET', '/health/live', {}));
  await closed;
});

test('an application that ends closes each connection after the answer under way', async () => {
  const { socket, received, closed } = open(await listen());
  const app = apps.at(-1) as FastifyInstance;
  const arrived = once(app.server, 'request');
  const headers = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' };
  socket.write(await head('POST', '/api/v1/operations/contacts/import', headers));
  await arrived;
  const ended = app.close();
  socket.write('0\r\n\r\n');
  await Promise.all([closed, ended]);
  expect(received.text).toContain('\r\nconnection: close\r\n');
});

test('refuses more connections of one address than its limit, and takes new ones when others are closed', async () => {
  const port = await listen({ perAddress: 3, headersMs: 20_000 });
  const ask = async (from?: string) => {
    const one = open(port, from);
    one.socket.write(await head('GET', '/health/live', { connection: 'close' }));
    await one.closed;
    return one.received.text.slice(0, 12);
  };
  const held = [open(port), open(port), open(port)];
  await expect.poll(() => new Promise((resolve) => apps.at(-1)?.server.getConnections((_, n) => resolve(n)))).toBe(3);
  expect(await ask()).toBe('');
  expect(await ask('127.0.0.2')).toBe('HTTP/1.1 200');
  held[0]?.socket.destroy();
  await expect.poll(() => ask()).toBe('HTTP/1.1 200');
});
