import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failover } from '../../../src/channels/failover.ts';
import { smsChannel } from '../../../src/channels/sms/sms.ts';
import { type SmsSender, twilioClient } from '../../../src/channels/sms/twilio-client.ts';
import { listen } from '../../support/listen.ts';
import { clock, outgoing, texts } from '../outgoing.ts';
import { type Answer, scriptedHttp } from '../scripted-http.ts';

const ACCOUNT = `AC${'0'.repeat(32)}`;
const created: Answer = { status: 201, body: JSON.stringify({ sid: 'SM1', status: 'queued' }) };
const declined = (status: number, code: number, headers = {}): Answer => ({
  status,
  headers,
  body: JSON.stringify({ code, message: 'about +420777123456', more_info: 'x', status }),
});

function channelTo(apiUrl: string, sender: SmsSender = { from: '+420111222333' }, sendTimeoutMs = 2000) {
  const settings = { accountSid: ACCOUNT, authToken: 'token', apiUrl };
  const twilio = twilioClient(settings, sendTimeoutMs, clock);
  const channel = smsChannel({
    texts,
    twilio,
    senders: { twilio: sender },
    failover: failover({ names: ['twilio'], sendTimeoutMs }),
    publicUrl: 'https://school.example/base',
  });
  onTestFinished(async () => void (await channel.close()));
  return channel;
}

const toAda = (rest = {}) => outgoing({ id: 'd1', fence: 3, address: '+420777123456', ...rest });

describe('a text message', () => {
  it('is posted to the account with its status callback', async () => {
    const server = await scriptedHttp(() => created);
    expect(await channelTo(`${server.origin}/proxy/`).send(toAda())).toEqual({
      kind: 'accepted',
      provider_id: 'SM1',
      provider: 'twilio',
    });
    const [asked] = server.asked;
    expect(asked).toMatchObject({ method: 'POST', url: `/proxy/2010-04-01/Accounts/${ACCOUNT}/Messages.json` });
    expect(asked?.headers.authorization).toBe(`Basic ${Buffer.from(`${ACCOUNT}:token`).toString('base64')}`);
    expect(asked?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(asked?.body.toString()))).toEqual({
      To: '+420777123456',
      From: '+420111222333',
      Body: 'Dear Ada',
      StatusCallback: 'https://school.example/base/callbacks/twilio/d1?fence=3',
    });
  });

  it('uses a messaging service if one is set', async () => {
    const server = await scriptedHttp(() => created);
    await channelTo(server.origin, { messagingServiceSid: 'MG1' }).send(toAda());
    const form = new URLSearchParams(server.asked[0]?.body.toString());
    expect([form.get('MessagingServiceSid'), form.get('From')]).toEqual(['MG1', null]);
  });

  it.each([
    [
      '429 with Retry-After',
      declined(429, 20429, { 'Retry-After': '7' }),
      { kind: 'throttled', detail: 'twilio 20429', retry_after_ms: 7000 },
    ],
    [
      'a person who replied STOP',
      declined(400, 21610),
      { kind: 'opted_out', detail: 'twilio 21610', sender: '+420111222333' },
    ],
    ['500', declined(500, 20500), { kind: 'ambiguous', detail: 'twilio 20500', provider: 'twilio' }],
    [
      '503 in HTML',
      { status: 503, body: '<html>+420777123456</html>' },
      { kind: 'ambiguous', detail: 'twilio 503', provider: 'twilio' },
    ],
    [
      'a redirect, not followed',
      { status: 307, headers: { Location: 'https://elsewhere.example' } },
      { kind: 'refused', detail: 'twilio 307' },
    ],
    ['201 in an unreadable body', { status: 201, body: '<html>' }, { kind: 'accepted', provider: 'twilio' }],
    ['the end of the connection', 'drop', { kind: 'ambiguous', detail: 'twilio UND_ERR_SOCKET', provider: 'twilio' }],
  ] as [string, Answer, object][])('answered by %s', async (_name, answer, outcome) => {
    const server = await scriptedHttp(() => answer);
    expect(await channelTo(server.origin).send(toAda())).toEqual(outcome);
    expect(server.asked).toHaveLength(1);
  });

  it('that is not answered in time is ambiguous', async () => {
    const server = await scriptedHttp(() => 'hang');
    const began = performance.now();
    expect(await channelTo(server.origin, undefined, 100).send(toAda())).toEqual({
      kind: 'ambiguous',
      detail: 'twilio ETIMEDOUT',
      provider: 'twilio',
    });
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  it('is not sent without a connection, host or TLS', async () => {
    const plain = await scriptedHttp(() => created);
    const outcomes = await Promise.all(
      ['http://127.0.0.1:1', 'http://no-such-host.invalid', plain.origin.replace('http:', 'https:')].map(
        async (apiUrl) => (await channelTo(apiUrl).send(toAda())).kind,
      ),
    );
    expect(outcomes).toEqual(['infrastructure', 'infrastructure', 'infrastructure']);
  });

  it('that only waited for its connection is not sent', async () => {
    const sockets: Socket[] = [];
    // accepts the connection but never completes the handshake
    const server = createServer((socket) => sockets.push(socket));
    const port = await listen(server);
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const outcome = await channelTo(`https://127.0.0.1:${port}`, undefined, 100).send(toAda());
    expect(outcome).toEqual({ kind: 'infrastructure', detail: 'twilio ETIMEDOUT' });
  });

  it('reaches the others if one number or text is invalid', async () => {
    const server = await scriptedHttp(() => created);
    const outcomes = await Promise.all(
      [
        toAda({ address: null }),
        toAda({ address: '0777 123 456' }),
        outgoing({ address: '+420777123456' }, { person: { name: 'Broken' } }),
        toAda(),
      ].map(channelTo(server.origin).send),
    );
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['bad_address', 'bad_address', 'unclassified', 'accepted']);
    expect(server.asked).toHaveLength(1);
  });
});

describe('a message of unknown outcome is looked up', () => {
  const listed = (messages: object[]): Answer => ({
    status: 200,
    body: JSON.stringify({ messages, next_page_uri: null, page_size: 50, uri: '/x' }),
  });
  const since = new Date('2026-09-01T07:55:00Z');
  const one = (rest: object) => ({
    sid: 'SM7',
    status: 'delivered',
    body: 'Dear Ada',
    date_created: 'Tue, 01 Sep 2026 07:55:01 +0000',
    ...rest,
  });

  it('by number, time and text', async () => {
    const server = await scriptedHttp(() =>
      listed([
        one({ sid: 'SM9', body: 'Other' }),
        one({}),
        one({ sid: 'SM5', date_created: 'Mon, 31 Aug 2026 07:55:01 +0000' }),
      ]),
    );
    const channel = channelTo(server.origin);
    expect(await channel.find?.(toAda(), since)).toEqual({ provider_id: 'SM7' });
    expect(await channel.find?.(outgoing({ address: '+420777123456' }, { person: { name: 'Eva' } }), since)).toBeNull();
    expect(new URL(server.asked[0]?.url ?? '', server.origin).searchParams.get('To')).toBe('+420777123456');
  });

  it('and not found if it is too old', async () => {
    const server = await scriptedHttp(() => listed([one({ date_created: 'Tue, 01 Sep 2026 07:50:00 +0000' })]));
    expect(await channelTo(server.origin).find?.(toAda(), since)).toBeNull();
  });

  it('and throws an error without the number if Twilio could not be asked', async () => {
    const server = await scriptedHttp(() => declined(503, 20503));
    await expect(channelTo(server.origin).find?.(toAda(), since)).rejects.toThrow(/^twilio 20503$/);
  });
});
