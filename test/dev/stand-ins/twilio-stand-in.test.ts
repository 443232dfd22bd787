import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import twilio from 'twilio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LoopbackRequest, type LoopbackServer, serveLoopback } from '../../../src/dev/stand-ins/loopback-http.ts';
import { countSegments } from '../../../src/dev/stand-ins/twilio-messages.ts';
import {
  startTwilioStandIn,
  type TwilioStandIn,
  type TwilioStandInOptions,
} from '../../../src/dev/stand-ins/twilio-stand-in.ts';

let directory: string;
let stands: { stop(): Promise<void> }[];
let product: LoopbackServer;
let posted: { status: string | undefined; valid: boolean }[];
let sms: TwilioStandIn;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'schoolbell-test-'));
  posted = [];
  product = await serveLoopback((request) => receive(request));
  stands = [product];
  sms = await start();
});
afterEach(async () => {
  for (const stand of stands.reverse()) await stand.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function start(options: TwilioStandInOptions = {}): Promise<TwilioStandIn> {
  const stand = await startTwilioStandIn({ recordTo: join(directory, 'accepted.jsonl'), ...options });
  stands.push(stand);
  return stand;
}

function clientOf(stand: TwilioStandIn, token = stand.authToken) {
  const client = twilio(stand.accountSid, token, { timeout: 400 });
  client.api.baseUrl = stand.url;
  return client;
}

function messageTo(to: string) {
  return {
    to,
    from: '+15005550006',
    body: 'The fête moves to Friday.',
    statusCallback: `${product.url}/callbacks/twilio/delivery-1?f=7`,
  };
}

function receive(request: LoopbackRequest): { status: number } {
  const params = Object.fromEntries(new URLSearchParams(request.body.toString()));
  const url = `${product.url}${request.path}?${request.query}`;
  const signature = String(request.headers['x-twilio-signature']);
  posted.push({ status: params.MessageStatus, valid: twilio.validateRequest(sms.authToken, signature, url, params) });
  return { status: 204 };
}

test('a message is created, kept, recorded and found again with the real client', async () => {
  const created = await clientOf(sms).messages.create(messageTo('+14155550100'));
  expect(created.sid).toMatch(/^SM[0-9a-f]{32}$/);
  expect(created).toMatchObject({ status: 'queued', numSegments: '1', to: '+14155550100' });

  const kept = await sms.waitFor(({ to }) => to === '+14155550100');
  expect(kept).toMatchObject({ sid: created.sid, delivery: 'delivery-1', body: 'The fête moves to Friday.' });
  expect(JSON.parse(readFileSync(join(directory, 'accepted.jsonl'), 'utf8'))).toMatchObject({
    channel: 'sms',
    recipient: '+14155550100',
    message_id: created.sid,
    delivery: 'delivery-1',
  });

  await sms.callbacksDone();
  expect((await clientOf(sms).messages(created.sid).fetch()).status).toBe('delivered');
  const found = await clientOf(sms).messages.list({ to: '+14155550100', limit: 5 });
  expect(found.map(({ sid }) => sid)).toEqual([created.sid]);
  expect(await clientOf(sms).messages.list({ to: '+14155550199', limit: 5 })).toEqual([]);
});

test('status callbacks come in order and carry a valid signature', async () => {
  const created = await clientOf(sms).messages.create(messageTo('+14155550100'));
  await sms.callbacksDone();
  expect(posted).toEqual([
    { status: 'sent', valid: true },
    { status: 'delivered', valid: true },
  ]);
  const kept = await sms.waitFor(({ sid }) => sid === created.sid);
  expect(kept.callbacks.map(({ answered }) => answered)).toEqual([204, 204]);
});

test('callbacks may be doubled, reversed, forged or earlier than the answer', async () => {
  const odd = await start({
    callbacks: () => [
      { status: 'sent', early: true },
      { status: 'undelivered', errorCode: 30003, early: true },
      { status: 'undelivered', errorCode: 30003 },
      { status: 'sent' },
      { status: 'delivered', token: 'not the token' },
    ],
  });
  await clientOf(odd).messages.create(messageTo('+14155550100'));
  expect(posted.length).toBeGreaterThanOrEqual(2);
  await odd.callbacksDone();
  expect(posted.map(({ status }) => status)).toEqual(['sent', 'undelivered', 'undelivered', 'sent', 'delivered']);
  expect(posted.map(({ valid }) => valid)).toEqual([true, true, true, true, false]);
});

test('a wrong token is refused', async () => {
  const refused = clientOf(sms, 'wrong').messages.create(messageTo('+14155550100'));
  await expect(refused).rejects.toMatchObject({ status: 401, code: 20003 });
});

test.each([
  [{ to: '12345' }, 21211],
  [{ body: '' }, 21602],
  [{ from: '' }, 21603],
])('%o is refused with code %i', async (change, code) => {
  const refused = clientOf(sms).messages.create({ ...messageTo('+14155550100'), ...change });
  await expect(refused).rejects.toMatchObject({ status: 400, code });
});

describe('misbehaviour', () => {
  test('an error for one number leaves the others alone', async () => {
    sms.misbehave(({ To }) =>
      To === '+14155550101'
        ? { status: 429, code: 20429, message: 'Too Many Requests', headers: { 'retry-after': '3' } }
        : undefined,
    );
    const refused = clientOf(sms).messages.create(messageTo('+14155550101'));
    await expect(refused).rejects.toMatchObject({ status: 429, code: 20429 });
    await clientOf(sms).messages.create(messageTo('+14155550102'));
    expect(sms.messages.map(({ to }) => to)).toEqual(['+14155550102']);
  });

  test.each(['hang', 'drop'] as const)('%s accepts nothing', async (behaviour) => {
    sms.misbehave(() => behaviour);
    await expect(clientOf(sms).messages.create(messageTo('+14155550100'))).rejects.toThrow();
    expect(sms.count).toBe(0);
  });

  test.each(['accept-then-500', 'accept-then-hang', 'accept-then-drop'] as const)('%s accepts', async (behaviour) => {
    sms.misbehave(() => behaviour);
    await expect(clientOf(sms).messages.create(messageTo('+14155550100'))).rejects.toThrow();
    await sms.callbacksDone();
    expect(sms.count).toBe(1);
    expect(posted.map(({ status }) => status)).toEqual(['sent', 'delivered']);
  });
});

test.each([
  ['a'.repeat(160), 1],
  ['a'.repeat(161), 2],
  [`${'a'.repeat(158)}€`, 1],
  [`${'a'.repeat(159)}€`, 2],
  ['ж'.repeat(70), 1],
  ['ж'.repeat(71), 2],
])('segments are counted as the networks do (%#)', (text, segments) => {
  expect(countSegments(text)).toBe(segments);
});
