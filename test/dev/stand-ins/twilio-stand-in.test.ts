import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import twilio from 'twilio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type LoopbackRequest, serveLoopback } from '../../../src/dev/stand-ins/loopback-http.ts';
import { startTwilioStandIn, type TwilioStandIn } from '../../../src/dev/stand-ins/twilio-stand-in.ts';

let directory: string;
let product: Awaited<ReturnType<typeof serveLoopback>>;
let posted: { status: string | undefined; valid: boolean }[];
let sms: TwilioStandIn;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'schoolbell-test-'));
  posted = [];
  product = await serveLoopback((request) => receive(request));
  sms = await startTwilioStandIn({ recordTo: join(directory, 'accepted.jsonl') });
});
afterEach(async () => {
  await sms.stop();
  await product.stop();
  rmSync(directory, { recursive: true, force: true });
});

function client({ token = sms.authToken, timeout = 10_000 } = {}) {
  const made = twilio(sms.accountSid, token, { timeout });
  made.api.baseUrl = sms.url;
  return made;
}

const untilPosted = (count: number) => expect.poll(() => posted).toHaveLength(count);

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

test('a message is created, kept, recorded and listed with the real client', async () => {
  const created = await client().messages.create(messageTo('+14155550100'));
  expect(created.sid).toMatch(/^SM[0-9a-f]{32}$/);
  expect(created).toMatchObject({ status: 'queued', to: '+14155550100' });

  const kept = sms.messages.find(({ to }) => to === '+14155550100');
  expect(kept).toMatchObject({ sid: created.sid, delivery: 'delivery-1', body: 'The fête moves to Friday.' });
  expect(JSON.parse(readFileSync(join(directory, 'accepted.jsonl'), 'utf8'))).toMatchObject({
    channel: 'sms',
    recipient: '+14155550100',
    message_id: created.sid,
    delivery: 'delivery-1',
  });

  const found = await client().messages.list({ to: '+14155550100', limit: 5 });
  expect(found.map(({ sid }) => sid)).toEqual([created.sid]);
  expect(await client().messages.list({ to: '+14155550199', limit: 5 })).toEqual([]);
});

test('status callbacks come in order and carry a valid signature', async () => {
  const created = await client().messages.create(messageTo('+14155550100'));
  await untilPosted(2);
  expect(posted).toEqual([
    { status: 'sent', valid: true },
    { status: 'delivered', valid: true },
  ]);
  const kept = sms.messages.find(({ sid }) => sid === created.sid);
  await expect.poll(() => kept?.callbacks.map(({ answered }) => answered)).toEqual([204, 204]);
});

test('callbacks may be doubled, reversed, forged or earlier than the answer', async () => {
  sms.callBack(() => [
    { status: 'sent', early: true },
    { status: 'undelivered', errorCode: 30003, early: true },
    { status: 'undelivered', errorCode: 30003 },
    { status: 'sent' },
    { status: 'delivered', token: 'not the token' },
  ]);
  await client().messages.create(messageTo('+14155550100'));
  expect(posted.length).toBeGreaterThanOrEqual(2);
  await untilPosted(5);
  expect(posted.map(({ status }) => status)).toEqual(['sent', 'undelivered', 'undelivered', 'sent', 'delivered']);
  expect(posted.map(({ valid }) => valid)).toEqual([true, true, true, true, false]);
});

describe('misbehaviour', () => {
  test.each(['accept-then-500', 'accept-then-hang', 'accept-then-drop'] as const)('%s accepts', async (behaviour) => {
    sms.misbehave(() => behaviour);
    await expect(client({ timeout: 300 }).messages.create(messageTo('+14155550100'))).rejects.toThrow();
    await untilPosted(2);
    expect(sms.count).toBe(1);
    expect(posted.map(({ status }) => status)).toEqual(['sent', 'delivered']);
  });
});
