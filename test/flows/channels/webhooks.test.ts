import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually, openSchool, publishEvent, sharedWorld, type World } from '../../support/world.ts';

const WEBHOOKS = '/api/v1/operations/webhooks';

type Received = { path: string; headers: IncomingHttpHeaders; body: string };

const received: Received[] = [];
/** The answers of the receiver by path; null: none. It takes all other messages. */
const answers: Record<string, number | null> = { '/slow': null, '/gone': 410 };
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { url: path = '', headers } = request;
  received.push({ path, headers, body: Buffer.concat(chunks).toString() });
  const status = answers[path] === undefined ? 204 : answers[path];
  if (status !== null) response.writeHead(status).end();
});

/** Less than SWEEP_MS, since messages are found by wake-ups. */
const WOKEN_MS = 15_000;

/** A school for each test. */
let world: World;
let origin: string;
beforeAll(async () => {
  origin = (await sharedWorld()).env.WEBHOOK_ALLOWED_ORIGINS ?? '';
  await once(server.listen(Number(new URL(origin).port), '127.0.0.1'), 'listening');
});
beforeEach(async () => {
  world = await openSchool();
});
afterAll(() => server.close().closeAllConnections());

/** Subscribes an address to publications. @returns the webhook with its secret */
async function subscribe(path: string): Promise<{ id: string; secret: string }> {
  const { status, body } = await world.call('POST', WEBHOOKS, { url: origin + path, types: ['event.published'] });
  expect(status).toBe(201);
  return body as never;
}

const publish = () => publishEvent(world);

const at = (path: string) => received.filter((one) => one.path === path);
const lastAttempt = async ({ id }: { id: string }) => {
  const { body } = await world.call('GET', `${WEBHOOKS}/${id}/attempts`);
  return (body.data as unknown as { id: string; status: string; tries: { problem: string | null }[] }[])[0];
};
const isDelivered = async (webhook: { id: string }) => (await lastAttempt(webhook))?.status === 'delivered';

test('a publication reaches the receiver, signed with the secret', async () => {
  const webhook = await subscribe('/signed');
  const event_id = await publish();
  await eventually('the message arrives', () => at('/signed').length === 1, WOKEN_MS);
  const [message] = at('/signed');
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = message?.headers ?? {};
  const key = Buffer.from(webhook.secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${message?.body}`).digest('base64');
  expect(signature).toBe(`v1,${expected}`);
  expect(JSON.parse(message?.body ?? '')).toMatchObject({ type: 'event.published', data: { event_id } });
  await eventually('it is recorded', () => isDelivered(webhook));
});

test('a receiver that never answers delays no other', async () => {
  await subscribe('/slow');
  await subscribe('/fast');
  for (let n = 0; n < 8; n += 1) await publish();
  await eventually('the other one gets its messages', () => at('/fast').length === 8, WOKEN_MS);
});

test('a receiver that answers 410 is sent no more', async () => {
  const webhook = await subscribe('/gone');
  await publish();
  const read = async () => (await world.call('GET', `${WEBHOOKS}/${webhook.id}`)).body;
  await eventually('it is off', async () => (await read()).disabled_reason === 'gone');
  const { log = [] } = world.processes.find(({ name }) => name === 'all') ?? {};
  const isLogged = () => log.some((line) => line.msg === 'webhook.disabled' && line.webhookId === webhook.id);
  await eventually('it is logged', isLogged);
  const attempt = await lastAttempt(webhook);
  const { status } = await world.call('POST', `${WEBHOOKS}/${webhook.id}/attempts/${attempt?.id}/replay`);
  expect(status).toBe(202);
  await eventually('the next message is skipped', async () => (await lastAttempt(webhook))?.status === 'skipped');
  expect(at('/gone')).toHaveLength(1);
});

test('an address inside the network is never connected to', async () => {
  const webhook = await subscribe('/private');
  // A name that leads here, which the API would refuse.
  const url = origin.replace('http://127.0.0.1', 'https://localhost');
  await world.database.collection('webhooks').updateOne({ _id: webhook.id }, { $set: { url } });
  await publish();
  const problem = async () => (await lastAttempt(webhook))?.tries[0]?.problem;
  await eventually('the try is refused', async () => (await problem()) === 'private_address');
});
