import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import webPush, { type PushSubscription, type RequestOptions } from 'web-push';
import { startPushStandIn } from '../../../src/dev/stand-ins/push-stand-in.ts';

const KEYS = webPush.generateVAPIDKeys();
const PAYLOAD = {
  title: 'Fête',
  body: 'Today at 3',
  delivery: 'd-1',
  event: 'ev-1',
  tenant: 't-a',
  trigger: 'reminder',
};

let directory: string;
let push: Awaited<ReturnType<typeof startPushStandIn>>;
let ada: PushSubscription;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'schoolbell-test-'));
  push = await startPushStandIn({ recordTo: join(directory, 'accepted.jsonl') });
  ada = push.subscribe('ada');
});
afterEach(async () => {
  await push.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Builds the request of web-push, which itself speaks only https. */
async function send(
  to: PushSubscription,
  payload: string | undefined = JSON.stringify(PAYLOAD),
  options: RequestOptions = {},
  change: (headers: Record<string, string>) => void = () => {},
): Promise<Response> {
  const vapidDetails = { subject: 'mailto:it@school.example', ...KEYS };
  const details = webPush.generateRequestDetails(to, payload, { vapidDetails, TTL: 60, ...options });
  const headers = Object.fromEntries(Object.entries(details.headers).map(([name, value]) => [name, String(value)]));
  delete headers['Content-Length'];
  change(headers);
  return fetch(details.endpoint, { method: 'POST', headers, body: details.body, redirect: 'manual' });
}

test('a message made by web-push is verified, decrypted, kept and recorded', async () => {
  const response = await send(ada, undefined, { topic: 'ev-1', urgency: 'high' });
  expect(response.status).toBe(201);
  expect(response.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/messages\//);
  const received = push.messages.find(({ device }) => device === 'ada');
  expect(received).toMatchObject({ payload: PAYLOAD, ttl: 60, topic: 'ev-1', urgency: 'high' });
  expect(JSON.parse(readFileSync(join(directory, 'accepted.jsonl'), 'utf8'))).toEqual({
    at: received?.at.toISOString(),
    channel: 'push',
    recipient: 'ada',
    message_id: received?.id,
    delivery: 'd-1',
    tenant: 't-a',
    event: 'ev-1',
    trigger: 'reminder',
    topic: 'ev-1',
  });
});

describe('a message is refused', () => {
  test('without VAPID', async () => {
    expect((await send(ada, 'x', {}, (headers) => delete headers.Authorization)).status).toBe(401);
  });

  test('with a token for another origin', async () => {
    const elsewhere = { ...ada, endpoint: ada.endpoint.replace('127.0.0.1', 'localhost') };
    const { Authorization } = webPush.generateRequestDetails(elsewhere, 'x', {
      vapidDetails: { subject: 'mailto:it@school.example', ...KEYS },
    }).headers as Record<string, string>;
    const response = await send(ada, 'x', {}, (headers) => {
      headers.Authorization = String(Authorization);
    });
    expect(response.status).toBe(403);
  });

  test('when it is encrypted for another device', async () => {
    const bob = push.subscribe('bob');
    expect((await send({ ...bob, endpoint: ada.endpoint })).status).toBe(400);
  });

  test('with 404 if the browser never was there', async () => {
    expect((await send({ ...ada, endpoint: `${push.url}/push/nobody` })).status).toBe(404);
  });

  afterEach(() => expect(push.messages.filter(({ text }) => text !== JSON.stringify(PAYLOAD))).toEqual([]));
});
