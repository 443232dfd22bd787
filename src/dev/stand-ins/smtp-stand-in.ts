import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { type Acceptance, type ReceiveOptions, receivedMessages } from './received.ts';

export interface ReceivedMail extends MailMarks {
  /** 1 for the first mail of this stand-in. */
  number: number;
  at: Date;
  from: string;
  to: string[];
  raw: Buffer;
}

/**
 * `connect` is asked before the greeting, `mail` and `rcpt` at those commands, `data` at the DATA command,
 * `message` after the final dot.
 */
export type SmtpPhase = 'connect' | 'mail' | 'rcpt' | 'data' | 'message';

interface SmtpMoment {
  session: string;
  from: string | undefined;
  /** The recipients so far, the one being asked about included. */
  to: string[];
  /** Only in the phase `message`. */
  mail?: Omit<ReceivedMail, 'number'>;
}

/**
 * How to misbehave. `hang` never answers, `drop` closes the connection; neither accepts the message.
 * The two others, in the phases `data` and `message` only, accept and record it first. A code given in the phase
 * `data` is sent after the text, like one given for `message`.
 */
type SmtpMisbehaviour = { code: number; message: string } | 'hang' | 'drop' | 'accept-then-drop' | 'accept-then-hang';

export type SmtpStandIn = Awaited<ReturnType<typeof startSmtpStandIn>>;

/** An SMTP server on 127.0.0.1, without TLS, that takes any login and any mail, keeps it and shows it. */
export async function startSmtpStandIn(options: ReceiveOptions = {}) {
  let respond: ((phase: SmtpPhase, moment: SmtpMoment) => SmtpMisbehaviour | undefined) | undefined;
  const received = receivedMessages<ReceivedMail>(options);

  const server = new SMTPServer({
    logger: false,
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onAuth: (auth, _session, callback) => callback(null, { user: auth.username ?? 'anyone' }),
    onConnect: (session, callback) => obey('connect', session, [], callback),
    onMailFrom: (_address, session, callback) => obey('mail', session, [], callback),
    onRcptTo: (address, session, callback) => obey('rcpt', session, [address.address], callback),
    onData(stream, session, callback) {
      const early = respond?.('data', momentOf(session, []));
      if (early === 'drop') return drop(session);
      receive(stream, (raw) => {
        const mail = {
          at: new Date(),
          from: fromOf(session) ?? '',
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw,
          ...readMarks(raw),
        };
        const answer = early ?? respond?.('message', { ...momentOf(session, []), mail });
        if (answer === 'hang') return;
        if (answer === 'drop') return drop(session);
        if (typeof answer === 'object') return callback(refusal(answer));
        received.accept({ number: received.count + 1, ...mail }, acceptancesOf(mail, mail.at, mail.to));
        if (answer === 'accept-then-drop') drop(session);
        else if (answer === undefined) callback(null, 'OK: message queued');
      });
    },
  });
  // Tests drop connections on purpose.
  server.on('error', () => {});

  function obey(
    phase: SmtpPhase,
    session: SMTPServerSession,
    recipients: string[],
    callback: (error?: Error | null) => void,
  ): void {
    const answer = respond?.(phase, momentOf(session, recipients));
    if (answer === undefined) callback();
    else if (typeof answer === 'object') callback(refusal(answer));
    else if (answer === 'drop' || answer === 'accept-then-drop') drop(session);
  }

  function drop(session: SMTPServerSession): void {
    for (const connection of server.connections) {
      if (connection.session.id === session.id) connection._socket.destroy();
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve());
  });
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

function momentOf(session: SMTPServerSession, more: string[]): SmtpMoment {
  const to = [...session.envelope.rcptTo.map(({ address }) => address), ...more];
  return { session: session.id, from: fromOf(session), to };
}

function fromOf(session: SMTPServerSession): string | undefined {
  return session.envelope.mailFrom === false ? undefined : session.envelope.mailFrom.address;
}

function refusal({ code, message }: { code: number; message: string }): Error {
  return Object.assign(new Error(message), { responseCode: code });
}

function receive(stream: Readable, done: (raw: Buffer) => void): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(Buffer.concat(chunks)));
}

/** The headers that we add to a message; null for a missing one. */
interface MailMarks {
  /** The whole Message-ID without its angle brackets. */
  messageId: string | null;
  delivery: string | null;
  trigger: string | null;
  event: string | null;
  tenant: string | null;
}

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
  const feedback = FEEDBACK_ID.exec(header);
  return {
    messageId,
    delivery: DELIVERY.exec(messageId ?? '')?.[1] ?? null,
    trigger: feedback?.[1]?.trim() || null,
    event: feedback?.[2]?.trim() || null,
    tenant: feedback?.[3]?.trim() || null,
  };
}

/** One line of the record for each recipient. */
const acceptancesOf = (marks: MailMarks, at: Date, to: readonly string[]): Acceptance[] =>
  to.map((recipient) => ({
    at: at.toISOString(),
    channel: 'email',
    recipient,
    message_id: marks.messageId,
    delivery: marks.delivery,
    tenant: marks.tenant,
    event: marks.event,
    trigger: marks.trigger,
  }));
