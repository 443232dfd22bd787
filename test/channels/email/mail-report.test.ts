import { describe, expect, it } from 'vitest';
import { readMailReport } from '../../../src/channels/email/received-mail.ts';
import { cpuMsOf } from '../../support/cpu.ts';

const ID = 'a1'.repeat(32);
const SIGNATURE = 'b2'.repeat(16);
const ABOUT = { delivery_id: ID, signature: SIGNATURE };
const lines = (...text: string[]): Buffer => Buffer.from(text.join('\r\n'));
const read = (...text: string[]) => readMailReport(lines(...text));

/** A report as a mail server writes it. */
const report = (status: readonly string[], copy: readonly string[], type = 'delivery-status') => [
  'From: MAILER-DAEMON@mx.example',
  'To: events@school.example',
  'Subject: Undelivered Mail Returned to Sender',
  'MIME-Version: 1.0',
  `Content-Type: multipart/report; report-type=${type};`,
  '\tboundary="=_b"',
  '',
  '--=_b',
  'Content-Type: text/plain; charset=us-ascii',
  '',
  'I am sorry to have to inform you <eva@people.example> …',
  '--=_b',
  `Content-Type: message/${type}`,
  '',
  ...status,
  '--=_b',
  ...copy,
  '--=_b--',
  '',
];

const ORIGINAL = [
  'Content-Type: message/rfc822',
  '',
  `Message-ID: <${ID}.${SIGNATURE}@school.example>`,
  'From: School <events@school.example>',
  'To: eva@people.example',
  'Subject: Cancelled',
  '',
  'It rains.',
];
const HEADERS = [
  'Content-Type: text/rfc822-headers',
  '',
  'Subject: Cancelled',
  'Message-ID:',
  `\t<${ID}.${SIGNATURE}@school.example>`,
];

const failed = (code: string) => [
  'Reporting-MTA: dns; mx.example',
  'X-Postfix-Queue-ID: 4XyZ',
  '',
  'Final-Recipient: rfc822; eva@people.example',
  'Original-Recipient: rfc822;eva@people.example',
  'Action: failed',
  `Status: ${code}`,
  'Remote-MTA: dns; mx.people.example',
  'Diagnostic-Code: smtp; 550 5.1.1 <eva@people.example>: Recipient address',
  '    rejected: User unknown',
  '',
];

describe('a bounce', () => {
  it('names the message and the status code', async () => {
    const expected = { kind: 'status', about: ABOUT, action: 'failed', code: '5.1.1' };
    expect(await read(...report(failed('5.1.1'), ORIGINAL))).toEqual(expected);
    expect(await read(...report(failed('5.1.1 (no such user)'), HEADERS))).toEqual(expected);
  });

  it('is distinguished from a delay', async () => {
    const status = failed('4.4.1').map((line) => (line === 'Action: failed' ? 'Action: delayed' : line));
    expect(await read(...report(status, HEADERS))).toMatchObject({ action: 'delayed', code: '4.4.1' });
  });

  it('names no message if its copy is missing or not from Schoolbell', async () => {
    for (const local of ['abc', ID, `${ID}.${SIGNATURE.slice(1)}`]) {
      const other = HEADERS.map((line) => line.replace(`${ID}.${SIGNATURE}`, local));
      expect(await read(...report(failed('5.1.1'), other))).toMatchObject({ about: null, action: 'failed' });
    }
    expect(await read(...report(failed('5.1.1'), ['Content-Type: text/plain', '', 'x']))).toMatchObject({
      about: null,
    });
  });

  it.each([
    ['550-5.1.1 The account does not exist.', '5.1.1'],
    ['552 5.2.2 Over quota', '5.2.2'],
    ['550 Blocked: see 10.5.1.1', '5.0.0'],
  ])('from Exim, whose status is always 5.0.0, has the code of the reply %j', async (reply, code) => {
    const status = ['Final-Recipient: rfc822;eva@people.example', 'Action: failed', 'Status: 5.0.0'];
    const more = ['Remote-MTA: dns; mx.people.example', `Diagnostic-Code: smtp; ${reply}`, ''];
    expect(await read(...report([...status, ...more], HEADERS))).toMatchObject({ about: ABOUT, code });
  });

  it('is read soon if many lines or many parts follow', async () => {
    const [start] = report(failed('5.1.1'), ORIGINAL).join('\r\n').split('--=_b--');
    for (const rest of ['\n', '--=_b\n\n\n']) {
      const mail = `${start}${rest.repeat(300_000)}`;
      expect(await cpuMsOf(async () => expect(await read(mail)).toMatchObject({ about: ABOUT }))).toBeLessThan(1_000);
    }
  });

  it('has no code if the server gave no valid one', async () => {
    expect(await read(...report(failed('unknown'), HEADERS))).toMatchObject({ action: 'failed', code: null });
  });
});

describe('a complaint', () => {
  it.each(['abuse', 'not-spam', 'fraud'])('of kind %s names the message', async (type) => {
    const feedback = [`Feedback-Type: ${type}`, 'User-Agent: SomeGenerator/1.0', 'Version: 1', ''];
    expect(await read(...report(feedback, ORIGINAL, 'feedback-report'))).toEqual({
      kind: 'feedback',
      about: ABOUT,
      type,
    });
  });
});

describe('no report', () => {
  it.each([
    ['an automatic reply', ['From: eva@people.example', 'Auto-Submitted: auto-replied', '', 'I am away.']],
    ['no mail', ['{"a":1}']],
    ['nothing', ['']],
    ['a mail that quotes one', ['Subject: Re: x', 'Content-Type: text/plain', '', 'Action: failed', 'Status: 5.1.1']],
    ['a report without a recipient', report(['Reporting-MTA: dns; mx.example', ''], HEADERS)],
    [
      'parts within parts',
      Array.from({ length: 200 }, (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}`),
    ],
  ])('is %s', async (_name, text) => {
    expect(await read(...text)).toBeNull();
  });
});
