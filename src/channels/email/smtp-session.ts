import type { Socket } from 'node:net';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SmtpAddress } from './smtp-address.ts';
import { type Following, type SmtpMail, type SmtpResult, smtpMail } from './smtp-mail.ts';
import type { SmtpAbilities, SmtpMessage } from './smtp-message.ts';
import type { SmtpFailure, SmtpPhase } from './smtp-outcome.ts';

/** One connection to the server, used for one message at a time. */
export type SmtpSession = {
  /** How far the current step got. */
  readonly phase: SmtpPhase;
  readonly alive: boolean;
  /** Messages it has sent or tried to send. */
  readonly sent: number;
  /** Connects, greets and logs in. @returns the failure, or null */
  open(): Promise<SmtpFailure | null>;
  /**
   * Resolves when the server has answered or the connection has ended; has no timeout of its own.
   * @param following returns the message to pipeline, which must be the next one sent on this connection
   */
  send(message: SmtpMessage, following?: Following): Promise<SmtpResult>;
  /** Ends a refused transaction. @returns whether the next message may follow */
  reset(): Promise<boolean>;
  /** Sends QUIT and waits briefly for the server. */
  quit(): Promise<void>;
  /** Ends the connection now; the current step fails as a lost connection. */
  destroy(): void;
};

const QUIT_MS = 1000;

/**
 * nodemailer's `SMTPConnection` opens the connection (DNS, TLS, greeting, EHLO, AUTH) and sends QUIT; in between its socket
 * carries our own mail transactions, whose phase is always known.
 *
 * @param socketTimeoutMs ends a connection without any traffic; the caller keeps the overall deadline
 * @param onEnd called once when the connection has ended
 */
export function smtpSession(address: SmtpAddress, socketTimeoutMs: number, onEnd: () => void = () => {}): SmtpSession {
  let opening: 'connect' | 'auth' = 'connect';
  /** from the first message on */
  let mail: SmtpMail | null = null;
  let alive = true;
  let sent = 0;
  /** rejects the current step */
  let fail: ((error: unknown) => void) | null = null;

  const connection = new SMTPConnection({
    host: address.host,
    port: address.port,
    secure: address.secure,
    requireTLS: address.starttls === 'required',
    ignoreTLS: address.starttls === 'none',
    ...(address.ehlo ? { name: address.ehlo } : {}),
    connectionTimeout: socketTimeoutMs,
    greetingTimeout: socketTimeoutMs,
    socketTimeout: socketTimeoutMs,
    socketCloseTimeout: 0,
  });

  connection.on('error', (error) => fail?.(error));
  connection.on('end', () => {
    alive = false;
    onEnd();
    // counts only if no other error is reported first
    const step = fail;
    queueMicrotask(() => step?.({ code: 'ECONNECTION' }));
  });

  /** Runs one step; resolves with its answer, an error or the end of the connection, whichever comes first. */
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
    // Without a login a server may accept a message and then refuse, lose or mark it.
    if (!connection.allowsAuth) return failure({ code: 'EAUTH', command: 'EHLO' });
    const credentials = { ...address.login };
    return step<SmtpFailure | null>(
      (done) => connection.login({ credentials }, (error) => done(error ? failure(error) : null)),
      failure,
    );
  }

  function send(message: SmtpMessage, following?: Following): Promise<SmtpResult> {
    sent += 1;
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
    get sent() {
      return sent;
    },
    open,
    send,
    reset,
    quit,
    destroy: () => connection.close(),
  };
}

/**
 * Private fields of an open nodemailer connection, which has no public access to them: its version is pinned, and every pool
 * test covers them.
 */
type Opened = {
  _socket: Socket;
  _onSocketData(chunk: Buffer): void;
  _supportedExtensions: readonly string[];
  _maxAllowedSize: number;
};

/** Takes over reading from the socket. */
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
