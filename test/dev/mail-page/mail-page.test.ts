import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailPage, startMailPage } from '../../../src/dev/mail-page/mail-page.ts';
import type { ReceivedPush } from '../../../src/dev/stand-ins/push-stand-in.ts';
import { type SmtpStandIn, startSmtpStandIn } from '../../../src/dev/stand-ins/smtp-stand-in.ts';
import type { SentSms } from '../../../src/dev/stand-ins/twilio-messages.ts';

const EVIL = '<script>alert("x")</script>';
const NAMES: Record<string, string> = {
  'ada@home.example': 'Ada <b>',
  '+14155550100': 'Ada <b>',
  'ada-phone': 'Ada <b>',
};
const at = new Date('2026-05-04T08:00:00Z');
const sms = [{ to: '+14155550100', from: 'School', body: `Moved ${EVIL}`, status: 'delivered', at }] as SentSms[];
const push = [
  { device: 'ada-phone', text: '{}', payload: { title: 'Starts soon', body: EVIL }, state: 'delivered', at },
] as ReceivedPush[];

let smtp: SmtpStandIn;
let page: MailPage;

beforeAll(async () => {
  smtp = await startSmtpStandIn();
  const client = createTransport({ url: smtp.url });
  await client.sendMail({
    from: '"School" <events@school.example>',
    to: '"Ada" <ada@home.example>',
    subject: `Fête ${EVIL}`,
    text: `Look at https://school.example/e/1?a=1&b=2. ${EVIL}`,
    html: `<h1 title="&quot;">Fête</h1>${EVIL}`,
    attachments: [{ filename: 'fête.ics', contentType: 'text/calendar', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR' }],
  });
  await client.sendMail({ from: 'events@school.example', to: 'bob@home.example', subject: 'Hello', text: 'Bob' });
  page = await startMailPage({ mail: smtp, sms: { messages: sms }, push: { messages: push }, nameOf: (a) => NAMES[a] });
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

test('the first page lists people with all their addresses under one name', async () => {
  const text = await read('/');
  expect(text).toContain('Ada &lt;b&gt;');
  expect(text).toContain('ada@home.example · +14155550100 · ada-phone');
  expect(text).toContain('bob@home.example');
  expect(text).toContain('1 SMS');
});

test('a person has mails, SMS and pushes', async () => {
  const text = await read(`/person?name=${encodeURIComponent('Ada <b>')}`);
  expect(text).toContain('Fête &lt;script&gt;');
  expect(text).toContain('Moved &lt;script&gt;');
  expect(text).toContain('Starts soon');
  expect(text).not.toContain('Hello');
});

test('a mail shows its parts, the HTML one in a frame that may do nothing', async () => {
  const text = await read('/mail/1');
  expect(text).toContain('School &lt;events@school.example&gt;');
  expect(text).toContain('<iframe sandbox="" title="The mail as HTML" srcdoc="&lt;h1 title=&quot;&amp;quot;&quot;&gt;');
  expect(text).toContain('<a href="https://school.example/e/1?a=1&amp;b=2" rel="noreferrer noopener">');
  expect(text).toContain('fête.ics');
});

test('attachments and the raw source are plain text', async () => {
  expect(await read('/mail/1/attachment/0')).toMatch(/^BEGIN:VCALENDAR\r?\nEND:VCALENDAR/);
  expect(await read('/mail/1/raw')).toMatch(/^From: .*School/m);
});

test.each(['/mail/9', '/mail/1/attachment/5', '/person?name=nobody', '/elsewhere'])('%s is not there', async (path) => {
  expect((await fetch(`${page.url}${path}`)).status).toBe(404);
});
