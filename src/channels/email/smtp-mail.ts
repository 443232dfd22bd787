import { isAscii } from 'node:buffer';
import type { Socket } from 'node:net';
import { needsSmtpUtf8 } from '../../people/email-address.ts';
import type { SmtpFailure, SmtpPhase } from './smtp-outcome.ts';
import { endsConnection } from './smtp-reply.ts';

/** One message as it goes over the wire: envelope addresses without brackets, and the finished MIME, whose lines end in CRLF. */
export type SmtpMessage = { from: string; to: string; raw: Buffer };

/** `response` is the server's last line; it may hold its queue id. */
export type SmtpResult = { accepted: true; response: string } | { accepted: false; failure: SmtpFailure };

/** What a server said after EHLO, as far as a message depends on it; `size`: the most it takes in bytes, 0: it names none, null: it asks for none. */
export type SmtpAbilities = { pipelining: boolean; eightBitMime: boolean; smtpUtf8: boolean; size: number | null };

/** Mail transactions on one connection, one at a time. */
export type SmtpMail = {
  readonly phase: Extract<SmtpPhase, 'envelope' | 'text' | 'dot'>;
  /**
   * Calls `done` once when the server has answered; never where the connection ends before.
   * @param following is asked when the text is about to go, where the server takes several commands at once
   */
  send(message: SmtpMessage, done: Done, following?: Following): void;
  /** Ends a refused transaction. Calls `done` with whether another may follow. */
  reset(done: (mayFollow: boolean) => void): void;
  /** Stops listening. */
  release(): void;
};

type Done = (result: SmtpResult) => void;
/**
 * The message that will be sent next on this connection: its commands go in one piece with the text before (RFC 2920, 3.1).
 * Whoever names one sends it next, or ends the connection.
 */
export type Following = () => SmtpMessage | undefined;

type Command = 'MAIL FROM' | 'RCPT TO' | 'DATA';
/** What the next reply answers; a lone dot ends a text that has nobody to go to. */
type Awaited = Command | 'dot' | 'lone dot' | 'RSET' | null;
/** A message whose commands are being answered; without `done` it is still to be sent. */
type Turn = {
  readonly message: SmtpMessage;
  readonly commands: readonly string[];
  done: Done | null;
  following: Following | undefined;
  refused: SmtpResult | null;
  /** what became of it before it was sent */
  result: SmtpResult | null;
  /** whether the server waits for its text */
  isGranted: boolean;
};

const FINAL_DOT = Buffer.from('.\r\n');
const DOT = 0x2e;
const NOT_BEGUN = { code: 'ECONNECTION', command: null, responseCode: null, response: null };
/** More without the end of a reply is no reply. */
const MOST_OF_A_REPLY = 64 * 1024;

/**
 * MAIL, RCPT, DATA and the text (RFC 5321, 3.3) on a connection that is greeted and logged in. Where the server takes
 * several commands at once (RFC 2920) they go in one piece, with the text of the message before where there is one.
 * nodemailer does the same with three times the CPU: it looks at each byte of a text and takes a turn of the event loop
 * for each reply.
 *
 * @param end ends the connection: called after a 421, and after what is no SMTP
 */
export function smtpMail(socket: Socket, abilities: SmtpAbilities, end: () => void): SmtpMail {
  let phase: SmtpMail['phase'] = 'envelope';
  let awaited: Awaited = null;
  let turn: Turn | null = null;
  /** after the one whose turn it is */
  let announced: Turn | null = null;
  let afterReset: (mayFollow: boolean) => void = () => {};
  /** the beginning of a line, and the lines before of the same reply */
  let rest = '';
  let lines = '';

  socket.on('data', read);

  function read(chunk: Buffer): void {
    const received = rest + chunk.toString('latin1');
    let from = 0;
    for (let at = received.indexOf('\n'); at >= 0; at = received.indexOf('\n', from)) {
      const line = received.slice(from, received[at - 1] === '\r' ? at - 1 : at);
      from = at + 1;
      if (line === '') continue;
      // RFC 5321, 4.2.1: all lines of a reply have the same code. A reply that says yes and no is none.
      const isReply = /^[2-5]\d\d(?:[ -]|$)/.test(line) && (lines === '' || lines.startsWith(line.slice(0, 3)));
      if (!isReply) {
        giveUp();
        return;
      }
      if (line[3] === '-') lines += `${line}\n`;
      else {
        const reply = lines + line;
        lines = '';
        take(reply);
      }
    }
    rest = from === 0 ? received : received.slice(from);
    if (rest.length + lines.length > MOST_OF_A_REPLY) giveUp();
  }

  function take(reply: string): void {
    const code = Number(reply.slice(0, 3));
    if (awaited === 'RSET') {
      awaited = null;
      afterReset(code < 300);
    } else if (turn && awaited) answered(turn, awaited, reply, code);
    else end();
  }

  function answered(to: Turn, what: Exclude<Awaited, null>, reply: string, code: number): void {
    if (endsConnection(reply)) {
      settle(to, to.refused ?? refusal(reply, code, 'ECONNECTION'));
      end();
    } else if (what === 'DATA') answeredData(to, reply, code);
    else if (what === 'dot') {
      settle(to, code < 300 ? { accepted: true, response: reply } : refusal(reply, code, 'EMESSAGE'));
    } else if (what === 'lone dot') {
      settle(to, to.refused ?? refusal(reply, code, 'EENVELOPE'));
    } else {
      if (code >= 300) to.refused ??= refusal(reply, code, 'EENVELOPE');
      if (to.refused && !abilities.pipelining) settle(to, to.refused);
      else goOn(to, what === 'MAIL FROM' ? 'RCPT TO' : 'DATA');
    }
  }

  function goOn({ commands }: Turn, next: 'RCPT TO' | 'DATA'): void {
    awaited = next;
    if (!abilities.pipelining) socket.write(commands[next === 'RCPT TO' ? 1 : 2] ?? '');
  }

  function answeredData(to: Turn, reply: string, code: number): void {
    // Some servers say 250 where 354 is meant.
    const wantsText = code < 400;
    if (!wantsText) settle(to, to.refused ?? refusal(reply, code, 'EENVELOPE'));
    else if (to.refused) refuseText(to, to.refused);
    else if (to.done) handOver(to);
    else to.isGranted = true;
  }

  function handOver({ message, following }: Turn): void {
    const next = abilities.pipelining ? following?.() : undefined;
    announced = next && !faultOf(next, abilities) ? turnOf(next) : null;
    phase = 'text';
    awaited = 'dot';
    socket.cork();
    socket.write(stuffed(message.raw));
    socket.write(announced ? `.\r\n${announced.commands.join('')}` : FINAL_DOT, written);
    socket.uncork();
  }

  /** A server asks for the text of a message that it has refused. */
  function refuseText(of: Turn, refused: SmtpResult): void {
    if (isOfSender(refused)) {
      // It can't be trusted with an empty one either.
      settle(of, refused);
      end();
    } else {
      // RFC 2920, 3.1: the text must be ended, it goes to nobody.
      awaited = 'lone dot';
      socket.write(FINAL_DOT);
    }
  }

  function written(error?: Error | null): void {
    if (!error && phase === 'text') phase = 'dot';
  }

  function refusal(response: string, responseCode: number, code: string): SmtpResult {
    const command = awaited === 'MAIL FROM' || awaited === 'RCPT TO' ? awaited : 'DATA';
    return { accepted: false, failure: { phase, code, command, responseCode, response } };
  }

  /** Nothing that is said from here on can be told apart. */
  function giveUp(): void {
    if (turn) settle(turn, { accepted: false, failure: { ...NOT_BEGUN, code: 'EPROTOCOL', phase } });
    end();
  }

  function settle(of: Turn, result: SmtpResult): void {
    phase = 'envelope';
    if (!of.done) {
      of.result = result;
      awaited = null;
      return;
    }
    turn = announced;
    announced = null;
    awaited = turn ? 'MAIL FROM' : null;
    of.done(result);
  }

  const turnOf = (message: SmtpMessage): Turn => ({
    message,
    commands: commandsFor(message, abilities),
    done: null,
    following: undefined,
    refused: null,
    result: null,
    isGranted: false,
  });

  return {
    get phase() {
      return phase;
    },
    send(message, done, following) {
      const fault = faultOf(message, abilities);
      if (fault) return done({ accepted: false, failure: { ...NOT_BEGUN, ...fault, phase } });
      const isAnnounced = turn?.message === message;
      if (turn && !isAnnounced) {
        // Its text would go to the address of the one that was named.
        done({ accepted: false, failure: { ...NOT_BEGUN, phase } });
        return end();
      }
      const own = turn ?? turnOf(message);
      turn = own;
      own.done = done;
      own.following = following;
      if (own.result) settle(own, own.result);
      else if (own.isGranted) handOver(own);
      else if (!isAnnounced) {
        awaited = 'MAIL FROM';
        socket.write(abilities.pipelining ? own.commands.join('') : (own.commands[0] ?? ''));
      }
    },
    reset(done) {
      afterReset = done;
      awaited = 'RSET';
      socket.write('RSET\r\n');
    },
    release: () => void socket.off('data', read),
  };
}

const isOfSender = (result: SmtpResult): boolean => !result.accepted && result.failure.command === 'MAIL FROM';

/** What no server is asked for. */
function faultOf(
  { from, to, raw }: SmtpMessage,
  abilities: SmtpAbilities,
): Pick<SmtpFailure, 'code' | 'command'> | null {
  const { size, smtpUtf8 } = abilities;
  if (size && raw.length > size) return { code: 'EMESSAGE', command: 'MAIL FROM' };
  if (!smtpUtf8 && needsSmtpUtf8(from + to)) return { code: 'ESMTPUTF8', command: 'API' };
  const unquoted = (from + to).replace(/"(?:\\.|[^"\\])*"/g, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they would end the command
  const endsCommand = /[\x00-\x1f]/.test(from + to) || /[<>]/.test(unquoted);
  return to === '' || endsCommand ? { code: 'EENVELOPE', command: 'API' } : null;
}

function commandsFor({ from, to, raw }: SmtpMessage, { eightBitMime, smtpUtf8, size }: SmtpAbilities): string[] {
  const utf8 = smtpUtf8 && needsSmtpUtf8(from + to) ? ' SMTPUTF8' : '';
  const body = eightBitMime && !isAscii(raw) ? ' BODY=8BITMIME' : '';
  const bytes = size !== null ? ` SIZE=${raw.length}` : '';
  return [`MAIL FROM:<${from}>${utf8}${body}${bytes}\r\n`, `RCPT TO:<${to}>\r\n`, 'DATA\r\n'];
}

/** With its dots doubled (RFC 5321, 4.5.2), and a line end before the final one. */
function stuffed(raw: Buffer): Buffer {
  const isEnded = raw.at(-2) === 0x0d && raw.at(-1) === 0x0a;
  if (isEnded && raw[0] !== DOT && !raw.includes('\n.')) return raw;
  const doubled = raw.toString('latin1').replace(/(^|\n)\./g, '$1..');
  return Buffer.from(isEnded ? doubled : `${doubled}\r\n`, 'latin1');
}
