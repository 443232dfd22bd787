import { connect, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import type { SmtpAddress } from './smtp-address.ts';
import type { SmtpAbilities } from './smtp-mail.ts';
import type { SmtpFailure } from './smtp-outcome.ts';
import { codeOf, replyReader } from './smtp-reply.ts';

/** The server refused to open a connection, or ended it. */
export class OpenFailed extends Error {
  readonly failure: Omit<SmtpFailure, 'phase'>;
  constructor(failure: Omit<SmtpFailure, 'phase'>) {
    super(failure.code ?? 'closed');
    this.failure = failure;
  }
}

type Events = {
  /** called with the socket, and with the socket that puts TLS around it */
  onSocket(socket: Socket): void;
  /** called before the login */
  onLogin(): void;
};

/**
 * Connects to a server, greets it, turns on TLS and logs in (RFC 5321, 3207 and 4954). Never sends the login over a
 * connection without TLS unless `tls=none` is set. Has no timeout of its own: destroying the socket ends it.
 * @throws OpenFailed
 */
export async function openConnection(address: SmtpAddress, { onSocket, onLogin }: Events) {
  const { host, port, secure, starttls, login } = address;
  const name = isIP(host) ? { host } : { host, servername: host };
  let socket: Socket = secure ? connectTls({ ...name, port }) : connect({ host, port });
  onSocket(socket);
  await untilReady(socket, secure ? 'secureConnect' : 'connect');
  let server = talkTo(socket);
  await server.ask(null, 'CONN', 'EPROTOCOL');
  let offers = await greet(server, address);
  if (!secure && (starttls === 'required' || (starttls === 'offered' && offers.has('STARTTLS')))) {
    await server.ask('STARTTLS', 'STARTTLS', 'ETLS');
    server.leave();
    socket = connectTls({ ...name, socket });
    onSocket(socket);
    await untilReady(socket, 'secureConnect');
    server = talkTo(socket);
    offers = await greet(server, address);
  }
  if (login) {
    onLogin();
    await logIn(server, offers, login);
  }
  server.leave();
  return { socket, abilities: abilitiesOf(offers) };
}

/** The keywords of the EHLO reply with their parameters, in capital letters. */
type Offers = ReadonlyMap<string, readonly string[]>;

const lost = (code = 'ECONNECTION', command: string | null = null): OpenFailed =>
  new OpenFailed({ code, command, responseCode: null, response: null });

function untilReady(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once(event, resolve);
    socket.once('error', (error: NodeJS.ErrnoException) => reject(lost(error.code)));
    socket.once('close', () => reject(lost()));
  });
}

type Server = {
  /**
   * Sends a command and waits for its reply. @param command null: waits for the greeting
   * @param code names a refusal
   * @throws OpenFailed if the reply is a refusal, or the connection ends
   */
  ask(command: string | null, name: string, code: string): Promise<string>;
  /** Stops reading. */
  leave(): void;
};

function talkTo(socket: Socket): Server {
  let answer: ((reply: string | OpenFailed) => void) | null = null;
  const give = (reply: string | OpenFailed) => {
    // A reply that no command asked for may have been planted before TLS began.
    if (!answer) return void socket.destroy();
    const take = answer;
    answer = null;
    take(reply);
  };
  const onError = (error: NodeJS.ErrnoException) => give(lost(error.code));
  const onClose = () => give(lost());
  const read = replyReader(give, () => give(lost('EPROTOCOL')));
  socket.on('data', read).on('error', onError).on('close', onClose);
  return {
    async ask(command, name, code) {
      const reply = await new Promise<string | OpenFailed>((resolve) => {
        if (socket.destroyed) return resolve(lost());
        answer = resolve;
        if (command !== null) socket.write(`${command}\r\n`);
      });
      if (typeof reply !== 'string') throw reply;
      const responseCode = codeOf(reply);
      if (responseCode >= 400) throw new OpenFailed({ code, command: name, responseCode, response: reply });
      return reply;
    },
    leave: () => void socket.off('data', read).off('error', onError).off('close', onClose),
  };
}

/** Sends EHLO, or HELO to a server that knows no extensions. */
async function greet(server: Server, { ehlo, starttls }: SmtpAddress): Promise<Offers> {
  const name = ehlo ?? ownName();
  try {
    return offersOf(await server.ask(`EHLO ${name}`, 'EHLO', 'ECONNECTION'));
  } catch (error) {
    const isOld = error instanceof OpenFailed && (error.failure.responseCode ?? 421) !== 421;
    // Such a server has no TLS either.
    if (!isOld || starttls === 'required') throw error;
  }
  await server.ask(`HELO ${name}`, 'HELO', 'EPROTOCOL');
  return new Map();
}

/** A host name without a dot means nothing to other machines. */
function ownName(): string {
  const name = hostname();
  return name.includes('.') ? name : '[127.0.0.1]';
}

function offersOf(reply: string): Offers {
  const lines = reply.toUpperCase().split('\n').slice(1);
  // Some servers write "AUTH=PLAIN".
  return new Map(
    lines
      .map((line) =>
        line
          .slice(4)
          .trim()
          .split(/[\s=]+/),
      )
      .map(([keyword = '', ...more]) => [keyword, more]),
  );
}

function abilitiesOf(offers: Offers): SmtpAbilities {
  const size = offers.get('SIZE');
  return {
    pipelining: offers.has('PIPELINING'),
    eightBitMime: offers.has('8BITMIME'),
    smtpUtf8: offers.has('SMTPUTF8'),
    size: size ? Number(size[0]) || 0 : null,
  };
}

/** Without a login a server may accept a message and then refuse, lose or mark it, so a server without AUTH fails. */
async function logIn(server: Server, offers: Offers, { user, pass }: { user: string; pass: string }): Promise<void> {
  const mechanisms = offers.get('AUTH') ?? [];
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  if (mechanisms.includes('PLAIN')) {
    await server.ask(`AUTH PLAIN ${base64(`\0${user}\0${pass}`)}`, 'AUTH PLAIN', 'EAUTH');
  } else if (mechanisms.includes('LOGIN')) {
    await server.ask('AUTH LOGIN', 'AUTH LOGIN', 'EAUTH');
    await server.ask(base64(user), 'AUTH LOGIN', 'EAUTH');
    await server.ask(base64(pass), 'AUTH LOGIN', 'EAUTH');
  } else throw lost('EAUTH', 'EHLO');
}
