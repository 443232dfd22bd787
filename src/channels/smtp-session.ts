import { isAscii } from 'node:buffer';
import { Readable, type Transform } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpAddress } from './smtp-address.ts';
import type { SmtpFailure, SmtpPhase } from './smtp-outcome.ts';

/** One message as it goes over the wire: envelope addresses without brackets, and the finished MIME, whose lines end in CRLF. */
export type SmtpMessage = { from: string; to: string; raw: Buffer };

/** `response` is the server's last line; it may hold its queue id. */
export type SmtpResult = { accepted: true; response: string } | { accepted: false; failure: SmtpFailure };

/** One connection to the server, used for one message at a time. */
export type SmtpSession = {
  /** How far the step under way has come. */
  readonly phase: SmtpPhase;
  readonly alive: boolean;
  /** Messages it has carried or tried to. */
  readonly carried: number;
  /** Connects, greets and logs in. @returns what went wrong, or null */
  open(): Promise<SmtpFailure | null>;
  /** Settles when the server has answered or the connection has ended; never by a time of its own. */
  send(message: SmtpMessage): Promise<SmtpResult>;
  /** Ends a refused transaction, so that the next message may follow. @returns whether it may */
  reset(): Promise<boolean>;
  /** Says goodbye and waits for the other side for a moment. */
  quit(): Promise<void>;
  /** Ends the connection now; a step under way settles as a drop. */
  destroy(): void;
};

const QUIT_MS = 1000;

/**
 * nodemailer's `SMTPConnection` (TLS, AUTH, SIZE, PIPELINING, dot stuffing) with the phase of its message known: the
 * message is a stream that is first read when the server has said 354 to DATA (`text`), and nodemailer logs a `message`
 * transaction when all of it and the final dot have been handed to the socket (`dot`).
 *
 * @param patienceMs ends a connection on which nothing at all moves; the caller keeps the overall deadline
 * @param onEnd once, when the connection is no more
 */
export function smtpSession(address: SmtpAddress, patienceMs: number, onEnd: () => void = () => {}): SmtpSession {
  let phase: SmtpPhase = 'connect';
  let alive = true;
  let carried = 0;
  /** the step that waits for an answer */
  let fail: ((error: unknown) => void) | null = null;

  const connection = new SMTPConnection({
    host: address.host,
    port: address.port,
    secure: address.secure,
    requireTLS: address.starttls === 'required',
    ignoreTLS: address.starttls === 'never',
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    socketCloseTimeout: 0,
    logger: phaseLogger(() => {
      if (phase === 'text') phase = 'dot';
    }),
  });

  connection.on('error', (error) => fail?.(error));
  connection.on('end', () => {
    alive = false;
    onEnd();
    // nodemailer reports a 421 only after it has closed; a drop is what remains when it reports nothing
    const step = fail;
    queueMicrotask(() => step?.({ code: 'ECONNECTION' }));
  });

  /** Runs one step; the first of its answer, an error and the end of the connection settles it. */
  function step<T>(start: (done: (value: T) => void) => void, failed: (error: unknown) => T): Promise<T> {
    return new Promise((resolve) => {
      const done = (value: T) => {
        if (fail === onError) fail = null;
        resolve(value);
      };
      const onError = (error: unknown) => done(failed(error));
      fail = onError;
      if (!alive) return onError({ code: 'ECONNECTION' });
      start(done);
    });
  }

  const failure = (error: unknown): SmtpFailure => failureOf(phase, error);

  async function open(): Promise<SmtpFailure | null> {
    const refused = await step<SmtpFailure | null>(
      (done) => connection.connect((error) => done(error ? failure(error) : null)),
      failure,
    );
    if (refused || !address.login || !connection.allowsAuth) return refused;
    phase = 'auth';
    const credentials = { ...address.login };
    return step<SmtpFailure | null>(
      (done) => connection.login({ credentials }, (error) => done(error ? failure(error) : null)),
      failure,
    );
  }

  function send({ from, to, raw }: SmtpMessage): Promise<SmtpResult> {
    phase = 'envelope';
    carried += 1;
    const text = textOf(raw, () => {
      phase = 'text';
    });
    const envelope = { from, to: [to], size: raw.length, use8BitMime: !isAscii(raw) };
    const refused = (error: unknown): SmtpResult => ({ accepted: false, failure: failure(error) });
    return step<SmtpResult>(
      (done) =>
        connection.send(envelope, text, (error, info) =>
          done(error ? refused(error) : { accepted: true, response: info.response }),
        ),
      refused,
    );
  }

  const reset = (): Promise<boolean> =>
    step<boolean>(
      (done) => connection.reset((error) => done(!error)),
      () => false,
    );

  function quit(): Promise<void> {
    if (!alive) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => connection.close(), QUIT_MS);
      connection.once('end', () => {
        clearTimeout(timer);
        resolve();
      });
      connection.quit();
    });
  }

  return {
    get phase() {
      return phase;
    },
    get alive() {
      return alive;
    },
    get carried() {
      return carried;
    },
    open,
    send,
    reset,
    quit,
    destroy: () => connection.close(),
  };
}

const FINAL_DOT = Buffer.from('.\r\n');
const [DOT, CR, LF] = [0x2e, 0x0d, 0x0a];
/** So much a socket takes at once: no part of it is still to be written when the server answers. */
const ONE_PIECE_BYTES = 64 * 1024;

/** What nodemailer writes after the server's 354; `begun` is called when it asks for it. */
function textOf(raw: Buffer, begun: () => void): Readable {
  const hasDots = raw[0] === DOT || raw.includes('\n.');
  if (hasDots || raw.at(-2) !== CR || raw.at(-1) !== LF || raw.length > ONE_PIECE_BYTES) {
    return new Readable({
      read() {
        begun();
        this.push(raw);
        this.push(null);
      },
    });
  }
  // Nothing to be spelled out: the text and its dot go to the socket in one piece, past nodemailer's look at each byte.
  const whole = Buffer.concat([raw, FINAL_DOT]);
  const pipe = (stream: Transform) => {
    begun();
    stream._flush = (done) => done();
    stream.push(whole);
    stream.end();
  };
  return { pipe } as unknown as Readable;
}

/** A silent logger that tells when a whole message has been handed to the socket. */
function phaseLogger(onMessage: () => void) {
  const silent = () => {};
  return {
    trace: silent,
    debug: silent,
    warn: silent,
    error: silent,
    fatal: silent,
    info: (entry: unknown) => {
      if (typeof entry === 'object' && entry !== null && 'tnx' in entry && entry.tnx === 'message') onMessage();
    },
  };
}

/** nodemailer's error without its message, which may hold addresses. */
function failureOf(phase: SmtpPhase, error: unknown): SmtpFailure {
  const of = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return {
    phase,
    code: codeOf(of.originalCode) ?? codeOf(of.code),
    command: typeof of.command === 'string' ? of.command : null,
    responseCode: typeof of.responseCode === 'number' ? of.responseCode : null,
    response: typeof of.response === 'string' ? of.response : null,
  };
}

const codeOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Z][A-Z0-9_]*$/.test(value) ? value : null;
