import type { Socket } from 'node:net';
import type { SmtpAddress } from './smtp-address.ts';
import { type Following, type SmtpMail, type SmtpMessage, type SmtpResult, smtpMail } from './smtp-mail.ts';
import { OpenFailed, openConnection } from './smtp-open.ts';
import type { SmtpFailure, SmtpPhase } from './smtp-outcome.ts';

const QUIT_MS = 1000;

export type SmtpSession = ReturnType<typeof smtpSession>;

/**
 * One connection to the server, used for one message at a time.
 * @param socketTimeoutMs ends a connection without any traffic; the caller keeps the overall deadline
 * @param onEnd called once when the connection has ended
 */
export function smtpSession(address: SmtpAddress, socketTimeoutMs: number, onEnd: () => void = () => {}) {
  let opening: 'connect' | 'auth' = 'connect';
  let socket: Socket | null = null;
  let mail: SmtpMail | null = null;
  let alive = true;
  let sent = 0;
  /** ends the current step with the code of an error */
  let fail: ((code: string) => void) | null = null;

  const phaseNow = (): SmtpPhase => mail?.phase ?? opening;

  function end(): void {
    if (!alive) return;
    alive = false;
    onEnd();
    fail?.('ECONNECTION');
  }

  /** Ends the connection now; the current step fails as a lost connection. */
  function destroy(): void {
    socket?.destroy();
    end();
  }

  function onSocket(next: Socket): void {
    socket = next;
    next
      .setKeepAlive(true)
      .setNoDelay(true)
      .setTimeout(socketTimeoutMs, () => next.destroy());
    next.on('error', (error: NodeJS.ErrnoException) => fail?.(error.code ?? 'ECONNECTION'));
    // A socket with TLS around it is no longer the connection.
    next.on('close', () => socket === next && end());
  }

  /** Connects, greets and logs in. @returns the failure, or null */
  async function open(): Promise<SmtpFailure | null> {
    const onLogin = () => {
      opening = 'auth';
    };
    try {
      const opened = await openConnection(address, { onSocket, onLogin });
      mail = smtpMail(opened.socket, opened.abilities, destroy);
      return null;
    } catch (error) {
      if (!(error instanceof OpenFailed)) throw error;
      return { phase: opening, ...error.failure };
    }
  }

  /** Runs one step; resolves with its answer, an error or the end of the connection, whichever comes first. */
  function step<T>(start: (mail: SmtpMail, done: (value: T) => void) => void, failed: (code: string) => T): Promise<T> {
    return new Promise((resolve) => {
      const done = (value: T) => {
        if (fail === onError) fail = null;
        resolve(value);
      };
      const onError = (code: string) => done(failed(code));
      fail = onError;
      if (!alive || !mail) return onError('ECONNECTION');
      start(mail, done);
    });
  }

  /**
   * Resolves when the server has answered or the connection has ended; has no timeout of its own.
   * @param following returns the message to pipeline, which must be the next one sent on this connection
   */
  function send(message: SmtpMessage, following?: Following): Promise<SmtpResult> {
    sent += 1;
    return step<SmtpResult>(
      (on, done) => on.send(message, done, following),
      (code) => ({
        accepted: false,
        failure: { phase: phaseNow(), code, command: null, responseCode: null, response: null },
      }),
    );
  }

  /** Ends a refused transaction. @returns whether the next message may follow */
  const reset = (): Promise<boolean> =>
    step<boolean>(
      (on, done) => on.reset(done),
      () => false,
    );

  /** Sends QUIT and waits briefly for the server. */
  function quit(): Promise<void> {
    const open = socket;
    if (!alive || !open) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(destroy, QUIT_MS);
      open.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      open.write('QUIT\r\n');
    });
  }

  return {
    /** how far the current step got */
    get phase() {
      return phaseNow();
    },
    get alive() {
      return alive;
    },
    /** messages it has sent or tried to send */
    get sent() {
      return sent;
    },
    open,
    send,
    reset,
    quit,
    destroy,
  };
}
