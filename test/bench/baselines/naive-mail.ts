import { Queue, Worker } from 'bullmq';
import Handlebars from 'handlebars';
import mongoose from 'mongoose';
import nodemailer from 'nodemailer';
import { servePart } from '../part.ts';

/**
 * The usual way, with the same parts: a row and a job per recipient; the worker claims the row, renders, lets nodemailer
 * compose, sends, and marks the row.
 */
const QUEUE = 'naive-mail';
const CONCURRENCY = 20;
const text = 'Hello {{name}},\n\n'.concat('everybody is welcome to the concert in the hall on Friday.\n'.repeat(30));
const html = `<html><body><p>Hello {{name}}</p>${'<p style="margin:0">everybody is welcome</p>\n'.repeat(150)}</body></html>`;
const [renderText, renderHtml] = [Handlebars.compile(text), Handlebars.compile(html)];

servePart(async ({ count }: { count: number }) => {
  const connection = await mongoose
    .createConnection(process.env.MONGODB_URI ?? '', { writeConcern: { w: 'majority', journal: true } })
    .asPromise();
  const rows = connection.collection<{ _id: string; name: string; to: string; status: string }>('naive_deliveries');
  await rows.deleteMany({});
  const { hostname: host, port } = new URL(process.env.REDIS_URL ?? '');
  const redis = { host, port: Number(port) };
  const smtp = new URL(process.env.SMTP_URL ?? '');
  const mail = nodemailer.createTransport({
    ...{ pool: true, host: smtp.hostname, port: Number(smtp.port), secure: false, ignoreTLS: true },
    ...{ maxConnections: CONCURRENCY, maxMessages: Number.POSITIVE_INFINITY },
  });
  const queue = new Queue(QUEUE, { connection: redis });
  let left = count;
  let done = () => {};
  const ended = new Promise<void>((resolve) => {
    done = resolve;
  });
  const worker = new Worker(
    QUEUE,
    async (job) => {
      const row = await rows.findOneAndUpdate(
        { _id: job.data.id, status: 'waiting' },
        { $set: { status: 'sending' } },
        { returnDocument: 'after' },
      );
      if (!row) return;
      const subject = 'Bench';
      await mail.sendMail({
        from: 'a@school.example',
        to: row.to,
        subject,
        text: renderText(row),
        html: renderHtml(row),
      });
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
      ids.map((n) => ({ _id: `row-${n}`, name: `Person ${n}`, to: `p${n}@people.example`, status: 'waiting' })),
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
  mail.close();
  await connection.close();
  return { count, ms };
});
