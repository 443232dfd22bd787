import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTransport, type Transporter } from 'nodemailer';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SmtpStandIn, startSmtpStandIn } from '../../../src/dev/stand-ins/smtp-stand-in.ts';

const DELIVERY = 'd'.repeat(64);
const MAIL = {
  from: 'Riverside School <events@school.example>',
  to: 'ada@home.example',
  subject: 'Summer fête',
  text: 'See you there.\n.\n..two dots\n',
  messageId: `<${DELIVERY}.fenceless@school.example>`,
  headers: { 'Feedback-ID': 'event_published:ev-1:tenant-a:schoolbell' },
};

let directory: string;
let smtp: SmtpStandIn;
let client: Transporter;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'schoolbell-test-'));
  smtp = await startSmtpStandIn({ recordTo: join(directory, 'accepted.jsonl') });
  client = createTransport({ url: smtp.url, pool: true, maxConnections: 1 });
});
afterEach(async () => {
  client.close();
  await smtp.stop();
  rmSync(directory, { recursive: true, force: true });
});

function recorded(): Record<string, unknown>[] {
  const text = readFileSync(join(directory, 'accepted.jsonl'), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

test('keeps a mail with its envelope, its text and our headers', async () => {
  await client.sendMail(MAIL);
  const mail = await smtp.waitFor(({ to }) => to.includes('ada@home.example'));
  expect(mail).toMatchObject({ number: 1, from: 'events@school.example', to: ['ada@home.example'] });
  expect(mail).toMatchObject({ delivery: DELIVERY, trigger: 'event_published', event: 'ev-1', tenant: 'tenant-a' });
  expect(mail.raw.toString()).toContain('\r\n.\r\n..two dots\r\n');
});

test('an accepted mail is on record before its sender knows', async () => {
  await client.sendMail(MAIL);
  expect(recorded()).toEqual([
    {
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      channel: 'email',
      recipient: 'ada@home.example',
      message_id: `${DELIVERY}.fenceless@school.example`,
      delivery: DELIVERY,
      tenant: 'tenant-a',
      event: 'ev-1',
      trigger: 'event_published',
    },
  ]);
});

test('any login is welcome', async () => {
  const strict = createTransport({ url: smtp.url, auth: { user: 'anyone', pass: 'at all' } });
  expect(await strict.verify()).toBe(true);
});

test('only the latest mails are kept, all are counted', async () => {
  const small = await startSmtpStandIn({ keep: 2 });
  const sender = createTransport({ url: small.url, pool: true, maxConnections: 1 });
  for (const subject of ['one', 'two', 'three']) await sender.sendMail({ ...MAIL, subject });
  expect(small.count).toBe(3);
  expect(small.messages.map(({ number }) => number)).toEqual([2, 3]);
  sender.close();
  await small.stop();
});

test('waiting for a mail that does not come ends with a reason', async () => {
  await expect(smtp.waitFor(() => true, { timeoutMs: 5 })).rejects.toThrow('no such message came; 0 in all');
});

describe('misbehaviour', () => {
  test.each(['connect', 'mail', 'rcpt', 'data', 'message'] as const)('a code at %s reaches the sender', async (at) => {
    smtp.misbehave((phase) => (phase === at ? { code: 452, message: 'not now' } : undefined));
    await expect(client.sendMail(MAIL)).rejects.toMatchObject({ responseCode: 452 });
    expect(smtp.count).toBe(0);
  });

  test.each(['connect', 'mail', 'rcpt', 'data', 'message'] as const)('a drop at %s loses the mail', async (at) => {
    smtp.misbehave((phase) => (phase === at ? 'drop' : undefined));
    const once = createTransport({ url: smtp.url });
    await expect(once.sendMail(MAIL)).rejects.toThrow();
    expect(recorded()).toEqual([]);
  });

  test.each([
    ['connect', 'greetingTimeout'],
    ['mail', 'socketTimeout'],
    ['rcpt', 'socketTimeout'],
    ['data', 'socketTimeout'],
    ['message', 'socketTimeout'],
  ] as const)('hanging at %s leaves the sender to its own time limit', async (at, limit) => {
    smtp.misbehave((phase) => (phase === at ? 'hang' : undefined));
    const impatient = createTransport({ url: smtp.url, [limit]: 300 });
    await expect(impatient.sendMail(MAIL)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    expect(smtp.count).toBe(0);
  });

  test('a drop after the final dot has accepted the mail without saying so', async () => {
    smtp.misbehave((phase, { mail }) =>
      phase === 'message' && mail?.delivery === DELIVERY ? 'accept-then-drop' : undefined,
    );
    await expect(client.sendMail(MAIL)).rejects.toThrow();
    expect(recorded()).toHaveLength(1);
    expect(smtp.count).toBe(1);
  });

  test('sees the recipients, and stops misbehaving', async () => {
    smtp.misbehave((phase, { to }) =>
      phase === 'rcpt' && to[0] === 'ada@home.example' ? { code: 550, message: 'no such user' } : undefined,
    );
    await expect(client.sendMail(MAIL)).rejects.toMatchObject({ responseCode: 550 });
    await client.sendMail({ ...MAIL, to: 'bob@home.example' });
    smtp.misbehave(undefined);
    await client.sendMail(MAIL);
    expect(smtp.messages.map(({ to }) => to[0])).toEqual(['bob@home.example', 'ada@home.example']);
  });
});
