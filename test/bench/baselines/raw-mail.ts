import nodemailer from 'nodemailer';
import { servePart } from '../part.ts';
import { repeat } from '../repeat.ts';

/** The size of our own messages in these benchmarks, HTML and text. */
const BYTES = 9_000;
const CONNECTIONS = 20;

const line = 'Everybody is welcome to the autumn concert in the hall on Friday evening.\r\n';
const raw = `From: a@school.example\r\nTo: b@people.example\r\nSubject: Bench\r\n\r\n${line.repeat(BYTES / line.length)}`;
const message = { envelope: { from: 'a@school.example', to: ['b@people.example'] }, raw };

/** nodemailer's pool sending one constant raw message over and over: the limit of its part. */
servePart(async ({ count }: { count: number }) => {
  const { hostname, port } = new URL(process.env.SMTP_URL ?? '');
  const pool = nodemailer.createTransport({
    pool: true,
    host: hostname,
    port: Number(port),
    secure: false,
    ignoreTLS: true,
    maxConnections: CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  // Two for each connection: the next one is ready when a message is through.
  const ms = await repeat(count, CONNECTIONS * 2, () => pool.sendMail(message));
  pool.close();
  return { count, ms };
});
