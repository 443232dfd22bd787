import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { pick } from '../../core/objects.ts';
import { type Acceptance, type ReceiveOptions, receivedMessages } from './received.ts';

export type ReceivedMail = MailMarks & {
  /** 1 for the first mail of this stand-in. */
  number: number;
  at: Date;
  from: string;
  to: string[];
  raw: Buffer;
};

/** `rcpt` is asked at each recipient, `message` after the final dot. */
type SmtpPhase = 'rcpt' | 'message';

/** A recipient can be refused or never answered; a message can be accepted and recorded without an answer. */
type SmtpMisbehaviour = { code: number; message: string } | 'hang' | 'accept-then-hang';

/** An SMTP server on 127.0.0.1, without TLS, that takes any login and any mail, keeps it and shows it. */
export async function startSmtpStandIn(options: ReceiveOptions = {}) {
  let respond: ((phase: SmtpPhase, recipient: string) => SmtpMisbehaviour | undefined) | undefined;
  const received = receivedMessages<ReceivedMail>(options);

  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onAuth: (auth, _session, callback) => callback(null, { user: auth.username ?? 'anyone' }),
    onRcptTo({ address }, _session, callback) {
      const answer = respond?.('rcpt', address);
      if (answer === undefined) callback();
      else if (typeof answer === 'object')
        callback(Object.assign(new Error(answer.message), { responseCode: answer.code }));
    },
    async onData(stream, { envelope }, callback) {
      const raw = await buffer(stream).catch(() => null);
      // The connection was lost within the message.
      if (raw === null) return;
      const to = envelope.rcptTo.map(({ address }) => address);
      const answer = respond?.('message', to.at(-1) ?? '');
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      const mail = { number: received.count + 1, at: new Date(), from, to, raw, ...readMarks(raw) };
      received.accept(mail, acceptancesOf(mail));
      if (answer === undefined) callback(null, 'OK: message queued');
    },
  });
  // Tests drop connections on purpose.
  server.on('error', () => {});

  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.server.address() as AddressInfo;

  return Object.assign(received, {
    url: `smtp://127.0.0.1:${port}`,
    port,
    /** undefined makes it behave again. */
    misbehave(next: typeof respond) {
      respond = next;
    },
    /** Closes every connection, also the hanging ones. */
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(resolve));
      for (const connection of server.connections) connection._socket.destroy();
      await closed;
    },
  });
}

/** The headers that we add to a message; null for a missing one. `messageId`: without its angle brackets. */
type MailMarks = Record<'messageId' | 'delivery' | 'trigger' | 'event' | 'tenant', string | null>;

const MESSAGE_ID = /^message-id:\s*<([^>\r\n]+)>/im;
const DELIVERY = /^([0-9a-f]{64})(?:[.@]|$)/i;
const FEEDBACK_ID = /^feedback-id:\s*([^:\r\n]*):([^:\r\n]*):([^:\r\n]*):schoolbell/im;

/** Reads Message-ID and Feedback-ID from a raw message by two patterns on its header block, without parsing MIME. */
function readMarks(raw: Buffer): MailMarks {
  const end = raw.indexOf('\r\n\r\n');
  const header = raw
    .subarray(0, end === -1 ? raw.length : end)
    .toString('latin1')
    .replace(/\r?\n[ \t]+/g, ' ');
  const messageId = MESSAGE_ID.exec(header)?.[1] ?? null;
  const delivery = DELIVERY.exec(messageId ?? '')?.[1] ?? null;
  const feedback = FEEDBACK_ID.exec(header)?.map((part) => part.trim() || null) ?? [];
  const [, trigger = null, event = null, tenant = null] = feedback;
  return { messageId, delivery, trigger, event, tenant };
}

/** One line of the record for each recipient. */
function acceptancesOf({ at, to, messageId, ...mail }: ReceivedMail): Acceptance[] {
  const marks = pick(mail, ['delivery', 'tenant', 'event', 'trigger']);
  return to.map((recipient) => ({
    at: at.toISOString(),
    channel: 'email',
    recipient,
    message_id: messageId,
    ...marks,
  }));
}
