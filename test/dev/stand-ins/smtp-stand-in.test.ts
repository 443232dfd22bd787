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

describe('misbehaviour', () => {
  test('a code for a recipient reaches the sender', async () => {
    smtp.misbehave((phase) => (phase === 'rcpt' ? { code: 452, message: 'not now' } : undefined));
    await expect(client.sendMail(MAIL)).rejects.toMatchObject({ responseCode: 452 });
    expect(smtp.count).toBe(0);
  });

  test('silence after the final dot has accepted the mail without saying so', async () => {
    smtp.misbehave((phase) => (phase === 'message' ? 'accept-then-hang' : undefined));
    const sent = client.sendMail(MAIL).catch((error) => error);
    await expect.poll(() => smtp.count).toBe(1);
    expect(recorded()).toHaveLength(1);
    client.close();
    await smtp.stop();
    expect(await sent).toBeInstanceOf(Error);
  });
});
