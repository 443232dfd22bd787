import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startReceivedPage } from '../../src/dev/received-page.ts';
import type { ReceivedPush } from '../../src/dev/stand-ins/push-stand-in.ts';
import { startSmtpStandIn } from '../../src/dev/stand-ins/smtp-stand-in.ts';
import type { SentSms } from '../../src/dev/stand-ins/twilio-stand-in.ts';

const EVIL = '<script>alert("x")</script>';
const NAMES: Record<string, string> = {
  'ada@home.example': 'Ada <b>',
  '+14155550100': 'Ada <b>',
  'ada-phone': 'Ada <b>',
};
const at = new Date('2026-05-04T08:00:00Z');
const sms = [{ to: '+14155550100', body: `Moved ${EVIL}`, at }] as SentSms[];
const push = [{ device: 'ada-phone', payload: { title: 'Starts soon', body: EVIL }, at } as unknown as ReceivedPush];

let smtp: Awaited<ReturnType<typeof startSmtpStandIn>>;
let page: Awaited<ReturnType<typeof startReceivedPage>>;

beforeAll(async () => {
  smtp = await startSmtpStandIn();
  const client = createTransport({ url: smtp.url });
  await client.sendMail({
    from: '"School" <events@school.example>',
    to: '"Ada" <ada@home.example>',
    subject: `Fête ${EVIL}`,
    text: EVIL,
    html: `<h1 title="&quot;">Fête</h1>${EVIL}`,
    attachments: [{ filename: 'fête.ics', contentType: 'text/calendar', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' }],
  });
  await client.sendMail({ from: 'events@school.example', to: 'bob@home.example', subject: 'Hello', text: 'Bob' });
  const nameOf = (address: string) => NAMES[address];
  page = await startReceivedPage({ smtp, twilio: { messages: sms }, push: { messages: push }, nameOf });
});
afterAll(async () => {
  await page.stop();
  await smtp.stop();
});

async function read(path: string): Promise<string> {
  const response = await fetch(`${page.url}${path}`);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const text = await response.text();
  if (response.headers.get('content-type')?.startsWith('text/html')) expect(text).not.toMatch(/<script|Ada <b>/);
  return text;
}

test('the first page lists everyone and every message', async () => {
  const text = await read('/');
  expect(text).toContain('<a href="/?person=Ada%20%3Cb%3E">Ada &lt;b&gt;</a>');
  expect(text).toContain('bob@home.example');
  expect(text).toContain('Moved &lt;script&gt;');
});

test("a person's page lists that person's e-mails, SMS and pushes alone", async () => {
  const text = await read(`/?person=${encodeURIComponent('Ada <b>')}`);
  for (const part of ['Fête &lt;script&gt;', 'Moved &lt;script&gt;', 'Starts soon', 'ada@home.example'])
    expect(text).toContain(part);
  expect(text).not.toContain('Hello');
});

test('an e-mail shows its text and attachments, and its HTML in a frame without any rights', async () => {
  const text = await read('/mail/1');
  expect(text).toContain('School &lt;events@school.example&gt;');
  expect(text).toMatch(/<iframe sandbox="" title="The e-mail as HTML" srcdoc="&lt;h1 title/);
  expect(text).toContain('fête.ics');
  expect(text).toContain('BEGIN:VCALENDAR');
});
