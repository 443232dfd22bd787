import type { Socket } from 'node:net';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpAddress } from './smtp-address.ts';
import {
  type Following,
  type SmtpAbilities,
  type SmtpMail,
  type SmtpMessage,
  type SmtpResult,
  smtpMail,
} from './smtp-mail.ts';
import type { SmtpFailure, SmtpPhase } from './smtp-outcome.ts';

/** One connection to the server, used for one message at a time. */
export type SmtpSession = {
  /** How far the step under way has come. */
  readonly phase: SmtpPhase;
  readonly alive: boolean;
  /** Messages it has carried or tried to. */
  readonly carried: number;
  /** Connects, greets and logs in. @returns what went wrong, or null */
  open(): Promise<SmtpFailure | null>;
  /**
   * Settles when the server has answered or the connection has ended; never by a time of its own.
   * @param following is asked at the text for the message after it, which must be the next one sent here, or the last: its
   * commands are on their way by then
   */
  send(message: SmtpMessage, following?: Following): Promise<SmtpResult>;
  /** Ends a refused transaction, so that the next message may follow. @returns whether it may */
  reset(): Promise<boolean>;
  /** Says goodbye and waits for the other side for a moment. */
  quit(): Promise<void>;
  /** Ends the connection now; a step under way settles as a drop. */
  destroy(): void;
};

const QUIT_MS = 1000;

/**
 * nodemailer's `SMTPConnection` opens the connection (DNS, TLS, greeting, EHLO, AUTH) and says goodbye; in between its
 * socket carries our own mail transactions, whose phase is known at every moment.
 *
 * @param patienceMs ends a connection on which nothing at all moves; the caller keeps the overall deadline
 * @param onEnd once, when the connection is no more
 */
export function smtpSession(address: SmtpAddress, patienceMs: number, onEnd: () => void = () => {}): SmtpSession {
  let opening: 'connect' | 'auth' = 'connect';
  /** from the first message on */
  let mail: SmtpMail | null = null;
  let alive = true;
  let carried = 0;
  /** the step that waits for an answer */
  let fail: ((error: unknown) => void) | null = null;

  const connection = new SMTPConnection({
    host: address.host,
    port: address.port,
    secure: address.secure,
    requireTLS: address.starttls === 'required',
    ignoreTLS: address.starttls === 'none',
    ...(address.ehlo ? { name: address.ehlo } : {}),
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    socketCloseTimeout: 0,
  });

  connection.on('error', (error) => fail?.(error));
  connection.on('end', () => {
    alive = false;
    onEnd();
    // a drop is what remains where nothing else is reported
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

  const phaseNow = (): SmtpPhase => mail?.phase ?? opening;
  const failure = (error: unknown): SmtpFailure => failureOf(phaseNow(), error);

  async function open(): Promise<SmtpFailure | null> {
    const refused = await step<SmtpFailure | null>(
      (done) => connection.connect((error) => done(error ? failure(error) : null)),
      failure,
    );
    if (refused || !address.login) return refused;
    opening = 'auth';
    // Without a login a server may take a message and then refuse, lose or mark it.
    if (!connection.allowsAuth) return failure({ code: 'EAUTH', command: 'EHLO' });
    const credentials = { ...address.login };
    return step<SmtpFailure | null>(
      (done) => connection.login({ credentials }, (error) => done(error ? failure(error) : null)),
      failure,
    );
  }

  function send(message: SmtpMessage, following?: Following): Promise<SmtpResult> {
    carried += 1;
    return step<SmtpResult>(
      (done) => {
        mail ??= mailOn(connection);
        mail.send(message, done, following);
      },
      (error) => ({ accepted: false, failure: failure(error) }),
    );
  }

  const reset = (): Promise<boolean> =>
    step<boolean>(
      (done) => (mail ? mail.reset(done) : done(true)),
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
      if (mail) handBack(connection, mail);
      connection.quit();
    });
  }

  return {
    get phase() {
      return phaseNow();
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

/** What nodemailer keeps of a connection that it has opened; it has no public name for any of it (its version is pinned, and every test of a pool goes this way). */
type Opened = {
  _socket: Socket;
  _onSocketData(chunk: Buffer): void;
  _supportedExtensions: readonly string[];
  _maxAllowedSize: number;
};

/** From here on what the server says is ours to read. */
function mailOn(connection: SMTPConnection): SmtpMail {
  const { _socket, _onSocketData, _supportedExtensions, _maxAllowedSize } = connection as unknown as Opened;
  const has = (name: string) => _supportedExtensions.includes(name);
  const abilities: SmtpAbilities = {
    pipelining: has('PIPELINING'),
    eightBitMime: has('8BITMIME'),
    smtpUtf8: has('SMTPUTF8'),
    size: has('SIZE') ? _maxAllowedSize : null,
  };
  _socket.off('data', _onSocketData);
  return smtpMail(_socket, abilities, () => connection.close());
}

function handBack(connection: SMTPConnection, mail: SmtpMail): void {
  const { _socket, _onSocketData } = connection as unknown as Opened;
  mail.release();
  _socket.on('data', _onSocketData);
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
