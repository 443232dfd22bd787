import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startSmtpSink } from '../../../src/dev/stand-ins/smtp-sink.ts';
import { type SinkMessage, sinkSession } from '../../../src/dev/stand-ins/smtp-sink-session.ts';

const CONVERSATION = [
  'EHLO here\r\nMAIL FROM:<a@x>\r\nRCPT TO:<b@y>\r\nRCPT TO:<c@z>\r\nDATA\r\n',
  'Subject: one\r\n\r\nHello\r\n..\r\n.not the end\r\n.\r\nMAIL FROM:<a@x>\r\nRCPT TO:<d@y>\r\nDATA\r\n.\r\nNOOP\r\nBAD\r\nQUIT\r\n',
].join('');

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'schoolbell-test-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test.each([1, 2, 3, 7, 64, 10_000])('a conversation cut into pieces of %i bytes is understood', (size) => {
  const messages: SinkMessage[] = [];
  let replies = '';
  const session = sinkSession({
    write: (reply) => {
      replies += reply;
    },
    end: () => {},
    take: (message, confirm) => {
      messages.push(message);
      confirm();
    },
  });
  const bytes = Buffer.from(CONVERSATION);
  for (let at = 0; at < bytes.length; at += size) session.feed(bytes.subarray(at, at + size));

  expect(messages.map(({ to }) => to)).toEqual([['b@y', 'c@z'], ['d@y']]);
  expect(messages.map(({ head }) => head.toString())).toEqual(['Subject: one\r\n\r\nHello\r\n..\r\n.not the end', '']);
  const codes = replies.split('\r\n').map((line) => line.slice(0, 4));
  const transactions = ['250 ', '250 ', '250 ', '354 ', '250 ', '250 ', '250 ', '354 ', '250 '];
  expect(codes).toEqual(['250-', '250-', '250-', '250-', '250 ', ...transactions, '250 ', '502 ', '221 ', '']);
});

test('commands behind a message wait until it is confirmed', () => {
  const written: string[] = [];
  let confirm = () => {};
  const session = sinkSession({
    write: (reply) => written.push(reply),
    end: () => {},
    take: (_message, confirmed) => {
      confirm = confirmed;
    },
  });
  session.feed(Buffer.from('MAIL FROM:<a@x>\r\nRCPT TO:<b@y>\r\nDATA\r\n'));
  session.feed(Buffer.from('Hello\r\n.\r\nNOOP\r\n'));
  expect(written).toEqual(['250 OK\r\n250 OK\r\n354 Go on\r\n']);
  confirm();
  expect(written.slice(1)).toEqual(['250 OK\r\n250 OK\r\n']);
});

test('mails of many connections are counted, and recorded before they are confirmed', async () => {
  const file = join(directory, 'accepted.jsonl');
  const sink = await startSmtpSink({ recordTo: file });
  const client = createTransport({ url: sink.url, pool: true, maxConnections: 5 });
  const large = 'A line of text.\r\n'.repeat(20_000);
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const delivery = String(index).padStart(64, '0');
      await client.sendMail({
        from: 'events@school.example',
        to: `person-${index}@home.example`,
        text: index === 0 ? large : 'Short.',
        messageId: `<${delivery}.f@school.example>`,
        headers: { 'Feedback-ID': 'reminder:ev-1:tenant-a:schoolbell' },
      });
      expect(readFileSync(file, 'utf8')).toContain(`"delivery":"${delivery}","tenant":"tenant-a"`);
    }),
  );
  expect(sink.count).toBe(50);
  client.close();
  await sink.stop();
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(50);
});

test('a delay per message holds one connection, not the others', async () => {
  const sink = await startSmtpSink({ delayMs: 300 });
  const client = createTransport({ url: sink.url, pool: true, maxConnections: 8 });
  const start = performance.now();
  const mail = { from: 'a@x.example', to: 'b@y.example', text: 'Hello' };
  await Promise.all(Array.from({ length: 8 }, () => client.sendMail(mail)));
  const elapsed = performance.now() - start;
  expect(elapsed).toBeGreaterThanOrEqual(299);
  expect(elapsed).toBeLessThan(8 * 300);
  client.close();
  await sink.stop();
});

test('runs as a process of its own and tells its port', async () => {
  const script = fileURLToPath(new URL('../../../src/dev/stand-ins/smtp-sink.ts', import.meta.url));
  const file = join(directory, 'accepted.jsonl');
  const child = spawn(process.execPath, ['--import', 'tsx', script, '--port', '0', '--record', file]);
  const [line] = await once(child.stdout, 'data');
  const { port } = JSON.parse(String(line));
  const client = createTransport({ host: '127.0.0.1', port });
  await client.sendMail({ from: 'a@x.example', to: 'b@y.example', text: 'Hello' });
  expect(readFileSync(file, 'utf8')).toContain('"recipient":"b@y.example"');
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});
