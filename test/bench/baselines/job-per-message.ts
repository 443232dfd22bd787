import { Queue, Worker } from 'bullmq';
import Handlebars from 'handlebars';
import mongoose from 'mongoose';
import nodemailer from 'nodemailer';
import twilio from 'twilio';
import { latch } from '../../support/latch.ts';
import { servePart } from '../part.ts';

export type JobPerMessage = {
  count: number;
  /** sends SMS to a server at this address instead of e-mails */
  twilioUrl?: string;
};

/**
 * The usual way, with the same parts: a row and a job per recipient; the worker claims the row, renders, lets the library of
 * the channel send, and marks the row.
 */
const QUEUE = 'job-per-message';
const CONCURRENCY = 20;
const text = 'Hello {{name}},\n\n'.concat('everybody is welcome to the concert in the hall on Friday.\n'.repeat(30));
const html = `<html><body><p>Hello {{name}}</p>${'<p style="margin:0">everybody is welcome</p>\n'.repeat(150)}</body></html>`;
const [renderText, renderHtml] = [Handlebars.compile(text), Handlebars.compile(html)];

type Row = { _id: string; name: string; to: string; phone: string; status: string };

function mailSender() {
  const smtp = new URL(process.env.SMTP_URL ?? '');
  const pool = nodemailer.createTransport({
    ...{ pool: true, host: smtp.hostname, port: Number(smtp.port), secure: false, ignoreTLS: true },
    ...{ maxConnections: CONCURRENCY, maxMessages: Number.POSITIVE_INFINITY },
  });
  const from = 'a@school.example';
  return {
    send: (row: Row) =>
      pool.sendMail({ from, to: row.to, subject: 'Bench', text: renderText(row), html: renderHtml(row) }),
    close: () => pool.close(),
  };
}

function smsSender(url: string) {
  const httpClient = new twilio.RequestClient({ keepAlive: true });
  const request = httpClient.request.bind(httpClient);
  httpClient.request = (options) => request({ ...options, uri: options.uri.replace('https://api.twilio.com', url) });
  const client = twilio('AC0', '0'.repeat(32), { httpClient });
  const body = 'Bench. '.repeat(15);
  return {
    send: (row: Row) => client.messages.create({ to: row.phone, from: '+15005550006', body: `${row.name} ${body}` }),
    close: () => {},
  };
}

servePart(async ({ count, twilioUrl }: JobPerMessage) => {
  const connection = await mongoose
    .createConnection(process.env.MONGODB_URI ?? '', { writeConcern: { w: 'majority', journal: true } })
    .asPromise();
  const rows = connection.collection<Row>('bench_deliveries');
  await rows.deleteMany({});
  const { hostname: host, port } = new URL(process.env.REDIS_URL ?? '');
  const redis = { host, port: Number(port) };
  const sender = twilioUrl ? smsSender(twilioUrl) : mailSender();
  const queue = new Queue(QUEUE, { connection: redis });
  let left = count;
  const { open: done, opened: ended } = latch();
  const worker = new Worker(
    QUEUE,
    async (job) => {
      const row = await rows.findOneAndUpdate(
        { _id: job.data.id, status: 'waiting' },
        { $set: { status: 'sending' } },
        { returnDocument: 'after' },
      );
      if (!row) return;
      await sender.send(row);
      await rows.updateOne({ _id: row._id }, { $set: { status: 'sent' } });
      left -= 1;
      if (left === 0) done();
    },
    { connection: { ...redis, maxRetriesPerRequest: null }, concurrency: CONCURRENCY, autorun: false },
  );
  const from = performance.now();
  for (let i = 0; i < count; i += 500) {
    const ids = Array.from({ length: Math.min(500, count - i) }, (_, n) => i + n);
    await rows.insertMany(
      ids.map((n) => ({
        _id: `row-${n}`,
        name: `Person ${n}`,
        to: `p${n}@people.example`,
        phone: `+4207${String(n).padStart(8, '0')}`,
        status: 'waiting',
      })),
    );
    await queue.addBulk(
      ids.map((n) => ({
        name: 'send',
        data: { id: `row-${n}` },
        opts: { removeOnComplete: true, removeOnFail: true },
      })),
    );
  }
  void worker.run();
  await ended;
  const ms = performance.now() - from;
  await worker.close();
  await queue.close();
  sender.close();
  await connection.close();
  return { count, ms };
});
