import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { QUEUE_BOARD } from '../../../src/http/operations/queue-board-routes.ts';
import { queueBoard } from '../../../src/queues/board.ts';
import { producerConnection } from '../../../src/queues/connection.ts';
import { EVERYTHING, type Served, STAFF, serve, serveAnew, type Who } from '../../support/http/http-app.ts';

const OPEN = '/api/v1/operations/queues/board';
const IT: Who = { user_id: 'ivo', roles: ['staff'], permissions: ['operations.queues'] };
const PAUSE = `${QUEUE_BOARD}/api/queues/email/pause`;

const settings = { url: inject('redisUrl'), prefix: `board-${randomUUID()}` };
const connection = producerConnection(settings);
const email = new Queue('email', { connection, prefix: settings.prefix, skipVersionCheck: true });
const changes: Record<string, unknown>[] = [];
let board: ReturnType<typeof queueBoard>;
let served: Served;

beforeAll(async () => {
  board = queueBoard(settings, QUEUE_BOARD);
  const onChange = (change: Record<string, unknown>) => void changes.push(change);
  served = await serveAnew({}, { queueBoard: { plugin: board.plugin, onChange } });
});
afterAll(async () => {
  await board.close();
  await email.obliterate({ force: true });
  await email.close();
  connection.disconnect();
});
beforeEach(() => void changes.splice(0));

/** Opens the board as a browser does. @returns the cookie that it sends from then on */
async function openBoard(): Promise<string> {
  const { headers } = await served.ask(IT, 'POST', OPEN);
  return String(headers['set-cookie']).split(';', 1)[0] ?? '';
}

const askWith = (cookie: string, method: string, url: string) => served.ask(null, method, url, { headers: { cookie } });

test('a person with the permission gets a cookie for these pages only, for half an hour', async () => {
  const { status, body, headers } = await served.ask(IT, 'POST', OPEN);
  expect({ status, body }).toEqual({ status: 200, body: { url: '/ops/queues' } });
  expect(headers['set-cookie']).toMatch(
    /^schoolbell_queues=[\w.-]+; Path=\/ops\/queues; Max-Age=1800; HttpOnly; SameSite=Strict; Secure$/,
  );
});

test('staff who manage the messages of one school get no cookie', async () => {
  const operator = { ...STAFF, permissions: ['events.deliveries.manage', 'events.settings.manage'] };
  const { status, headers } = await served.ask(operator, 'POST', OPEN);
  expect({ status, cookie: headers['set-cookie'] }).toEqual({ status: 403, cookie: undefined });
});

test('the board lists every queue, and its page runs no scripts of other sites', async () => {
  const cookie = await openBoard();
  const { body } = await askWith(cookie, 'GET', `${QUEUE_BOARD}/api/queues`);
  const names = body.queues.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['fan-out', 'fan-out-parts', 'email', 'email-urgent', 'push', 'sms']));
  const page = await askWith(cookie, 'GET', QUEUE_BOARD);
  expect(page.text).toContain('<div id="root">');
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'self';.*frame-ancestors 'none'$/);
});

test.each([
  ['none', async () => ''],
  ['a forged one', async () => `${(await openBoard()).split('.')[0]}.${'A'.repeat(22)}`],
  ['a link of another kind', async () => `schoolbell_queues=${served.deps.links.sample({ ...FOREIGN, until: 4e12 })}`],
  [
    'one that has expired',
    async () => `schoolbell_queues=${served.deps.links.queueBoard({ ...FOREIGN, until: served.now.at.getTime() })}`,
  ],
])('with the cookie: %s, pages lead to the sign-in and changes are refused', async (_kind, cookieOf) => {
  const cookie = await cookieOf();
  const page = await askWith(cookie, 'GET', QUEUE_BOARD);
  expect([page.status, page.headers.location]).toEqual([303, '/ops']);
  expect((await askWith(cookie, 'GET', `${QUEUE_BOARD}/api/queues`)).status).toBe(401);
  expect((await askWith(cookie, 'PUT', PAUSE)).status).toBe(401);
  expect(await email.isPaused()).toBe(false);
  expect(changes).toEqual([]);
});
const FOREIGN = { tenant_id: 't1', school_id: 's1', user_id: 'ivo', trigger: 'message', locale: 'en' };

test('a pause and its end are recorded with the person', async () => {
  const cookie = await openBoard();
  expect((await askWith(cookie, 'PUT', PAUSE)).status).toBe(200);
  expect(await email.isPaused()).toBe(true);
  expect((await askWith(cookie, 'PUT', PAUSE.replace('pause', 'resume'))).status).toBe(200);
  expect(await email.isPaused()).toBe(false);
  const person = { tenantId: 't1', schoolId: 's1', userId: 'ivo', method: 'PUT', status: 200 };
  expect(changes).toMatchObject([
    { ...person, path: PAUSE },
    { ...person, path: PAUSE.replace('pause', 'resume') },
  ]);
});

test.each([
  ['PUT', '/api/queues/email/empty'],
  ['PUT', '/api/queues/email/obliterate'],
  ['PUT', '/api/queues/email/clean/wait'],
  ['POST', '/api/queues/email/add'],
])('%s %s is refused, so that no job is written or deleted by hand', async (method, path) => {
  await email.add('deliver', { ids: ['a'], tenant_id: 't1' }, { jobId: 'one' });
  expect((await askWith(await openBoard(), method, `${QUEUE_BOARD}${path}`)).status).toBe(403);
  expect(await email.getJobCountByTypes('wait')).toBe(1);
});

test('people may retry and promote jobs there', async () => {
  const cookie = await openBoard();
  for (const path of ['/api/queues/email/retry/failed', '/api/queues/email/promote'])
    expect((await askWith(cookie, 'PUT', `${QUEUE_BOARD}${path}`)).status, path).toBe(200);
  expect(changes).toHaveLength(2);
});

test('a service without the board offers none', async () => {
  const { ask } = await serveAnew({}, { queueBoard: null });
  expect((await ask(EVERYTHING, 'GET', '/api/v1/me')).body.may).not.toContain('manage_queues');
  expect((await (await serve()).ask(EVERYTHING, 'GET', '/api/v1/me')).body.may).toContain('manage_queues');
  expect((await ask(IT, 'POST', OPEN)).status).toBe(404);
  expect((await ask(null, 'GET', QUEUE_BOARD)).status).toBe(404);
});
