import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Acceptance, openRecord } from '../acceptance/acceptance-record.ts';
import { type KeptMessages, keepMessages } from '../mail-page/kept-messages.ts';
import { readMarks } from '../mail-page/mail-headers.ts';
import { type SinkMessage, sinkSession } from './smtp-sink-session.ts';

export interface SmtpSinkOptions {
  port?: number;
  /** A file that gets one JSON line (`Acceptance`) per recipient before the 250 is sent. */
  recordTo?: string;
  /** How long each message takes, in milliseconds; connections don't wait for each other. */
  delayMs?: number;
}

export interface SmtpSink extends Pick<KeptMessages<unknown>, 'waitForCount'> {
  readonly url: string;
  readonly port: number;
  readonly count: number;
  stop(): Promise<void>;
}

/** A bare SMTP server on 127.0.0.1 that accepts everything as fast as it can and keeps nothing but the record. */
export async function startSmtpSink(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const { port: wantedPort = 0, recordTo, delayMs = 0 } = options;
  const record = openRecord(recordTo);
  const counted = keepMessages<undefined>(1);
  const sockets = new Set<Socket>();
  let batch: { entries: Acceptance[]; confirm: () => void }[] = [];

  // All messages that end in the same turn of the event loop share one write. Only then are they confirmed.
  function flush(): void {
    const flushed = batch;
    batch = [];
    record.append(flushed.flatMap(({ entries }) => entries));
    for (const { confirm } of flushed) {
      counted.add(undefined);
      confirm();
    }
  }

  async function take(message: SinkMessage, confirm: () => void): Promise<void> {
    if (delayMs > 0) await delay(delayMs);
    if (batch.length === 0) setImmediate(flush);
    batch.push({ entries: recordTo === undefined ? [] : acceptancesOf(message), confirm });
  }

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    const session = sinkSession({ write: (reply) => socket.write(reply), end: () => socket.end(), take });
    socket.on('data', session.feed);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.write('220 sink ESMTP\r\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(wantedPort, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    get count() {
      return counted.count;
    },
    waitForCount: counted.waitForCount,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      record.close();
    },
  };
}

function acceptancesOf(message: SinkMessage): Acceptance[] {
  const marks = readMarks(message.head);
  return message.to.map((recipient) => ({
    at: new Date().toISOString(),
    channel: 'email',
    recipient,
    message_id: marks.messageId,
    delivery: marks.delivery,
    tenant: marks.tenant,
    event: marks.event,
    trigger: marks.trigger,
  }));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, record: { type: 'string' }, 'delay-ms': { type: 'string' } },
  });
  const sink = await startSmtpSink({
    port: Number(values.port ?? 0),
    recordTo: values.record,
    delayMs: Number(values['delay-ms'] ?? 0),
  });
  process.stdout.write(`${JSON.stringify({ port: sink.port })}\n`);
  process.once('SIGTERM', () => sink.stop());
  process.once('SIGINT', () => sink.stop());
}
