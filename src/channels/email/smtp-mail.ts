import { isAscii } from 'node:buffer';
import type { Socket } from 'node:net';
import { needsSmtpUtf8 } from '../../people/contact.ts';
import type { SmtpFailure, SmtpPhase } from './smtp-outcome.ts';
import { codeOf, endsConnection, replyReader } from './smtp-reply.ts';

/** Envelope addresses without brackets, and the finished MIME message, whose lines end in CRLF. */
export type SmtpMessage = { from: string; to: string; raw: Buffer };

/**
 * The server's EHLO extensions that affect a message. `size`: its limit in bytes; 0: no limit given; null: no SIZE
 * extension.
 */
export type SmtpAbilities = { pipelining: boolean; eightBitMime: boolean; smtpUtf8: boolean; size: number | null };

const DOT = 0x2e;

/** Why a message is not offered to this server, or null. */
export function faultOf(
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

/** MAIL, RCPT and DATA with the extensions that this server supports and this message needs. */
function commandsFor({ from, to, raw }: SmtpMessage, { eightBitMime, smtpUtf8, size }: SmtpAbilities): string[] {
  const utf8 = smtpUtf8 && needsSmtpUtf8(from + to) ? ' SMTPUTF8' : '';
  const body = eightBitMime && !isAscii(raw) ? ' BODY=8BITMIME' : '';
  const bytes = size !== null ? ` SIZE=${raw.length}` : '';
  return [`MAIL FROM:<${from}>${utf8}${body}${bytes}\r\n`, `RCPT TO:<${to}>\r\n`, 'DATA\r\n'];
}

/** The text with leading dots doubled (RFC 5321, 4.5.2) and a final line end. */
function dotStuffed(raw: Buffer): Buffer {
  const isEnded = raw.at(-2) === 0x0d && raw.at(-1) === 0x0a;
  if (isEnded && raw[0] !== DOT && !raw.includes('\n.')) return raw;
  const doubled = raw.toString('latin1').replace(/(^|\n)\./g, '$1..');
  return Buffer.from(isEnded ? doubled : `${doubled}\r\n`, 'latin1');
}

/** `response` is the server's last reply; it may contain its queue id. */
export type SmtpResult = { accepted: true; response: string } | { accepted: false; failure: SmtpFailure };

/** Mail transactions on one connection, one at a time. */
export type SmtpMail = {
  readonly phase: Extract<SmtpPhase, 'envelope' | 'text' | 'dot'>;
  /**
   * Calls `done` once when the server has answered; never if the connection ends first.
   * @param following called just before the text is sent, if the server supports pipelining
   */
  send(message: SmtpMessage, done: Done, following?: Following): void;
  /** Ends a refused transaction. Calls `done` with whether another transaction may follow. */
  reset(done: (mayFollow: boolean) => void): void;
};

type Done = (result: SmtpResult) => void;
/**
 * Returns the message to pipeline: its commands are written together with the text of the current message (RFC 2920, 3.1).
 * The caller must send that message next, or end the connection.
 */
export type Following = () => SmtpMessage | undefined;

type Command = 'MAIL FROM' | 'RCPT TO' | 'DATA';
/** The step that the next reply answers; a lone dot ends an empty text without recipients. */
type Awaited = Command | 'dot' | 'lone dot' | 'RSET' | null;
/** One mail transaction; without `done` its commands are pipelined and `send` has not been called for it yet. */
type Transaction = {
  readonly message: SmtpMessage;
  readonly commands: readonly string[];
  done: Done | null;
  following: Following | undefined;
  refused: SmtpResult | null;
  /** its result, if it was refused before `send` was called */
  result: SmtpResult | null;
  /** whether the server waits for its text */
  wantsText: boolean;
};

const FINAL_DOT = Buffer.from('.\r\n');
const NOT_BEGUN = { code: 'ECONNECTION', command: null, responseCode: null, response: null };

/**
 * MAIL, RCPT, DATA and the text (RFC 5321, 3.3) on a connection that is open and logged in. With pipelining (RFC 2920) the
 * commands are written together with the text of the previous message. nodemailer needs three times the CPU for this: it
 * looks at each byte of a text and takes a turn of the event loop for each reply.
 *
 * @param end ends the connection: called after a 421 and after a protocol error
 */
export function smtpMail(socket: Socket, abilities: SmtpAbilities, end: () => void): SmtpMail {
  let phase: SmtpMail['phase'] = 'envelope';
  let awaited: Awaited = null;
  let current: Transaction | null = null;
  /** the transaction after the current one */
  let pipelined: Transaction | null = null;
  let afterReset: (mayFollow: boolean) => void = () => {};

  socket.on('data', replyReader(readReply, abort));

  function readReply(reply: string): void {
    const code = codeOf(reply);
    if (awaited === 'RSET') {
      awaited = null;
      afterReset(code < 300);
    } else if (current && awaited) handleReply(current, awaited, reply, code);
    else end();
  }

  function handleReply(of: Transaction, what: Exclude<Awaited, null>, reply: string, code: number): void {
    if (endsConnection(reply)) {
      finish(of, of.refused ?? refusal(reply, code, 'ECONNECTION'));
      end();
    } else if (what === 'DATA') handleDataReply(of, reply, code);
    else if (what === 'dot') {
      finish(of, code < 300 ? { accepted: true, response: reply } : refusal(reply, code, 'EMESSAGE'));
    } else if (what === 'lone dot') {
      finish(of, of.refused ?? refusal(reply, code, 'EENVELOPE'));
    } else {
      if (code >= 300) of.refused ??= refusal(reply, code, 'EENVELOPE');
      if (of.refused && !abilities.pipelining) finish(of, of.refused);
      else sendCommand(of, what === 'MAIL FROM' ? 'RCPT TO' : 'DATA');
    }
  }

  function sendCommand({ commands }: Transaction, next: 'RCPT TO' | 'DATA'): void {
    awaited = next;
    if (!abilities.pipelining) socket.write(commands[next === 'RCPT TO' ? 1 : 2] ?? '');
  }

  function handleDataReply(of: Transaction, reply: string, code: number): void {
    // Some servers answer 250 instead of 354.
    const wantsText = code < 400;
    if (!wantsText) finish(of, of.refused ?? refusal(reply, code, 'EENVELOPE'));
    else if (of.refused) refuseText(of, of.refused);
    else if (of.done) sendText(of);
    else of.wantsText = true;
  }

  function sendText({ message, following }: Transaction): void {
    const next = abilities.pipelining ? following?.() : undefined;
    pipelined = next && !faultOf(next, abilities) ? transactionOf(next) : null;
    phase = 'text';
    awaited = 'dot';
    socket.cork();
    socket.write(dotStuffed(message.raw));
    socket.write(pipelined ? `.\r\n${pipelined.commands.join('')}` : FINAL_DOT, onTextWritten);
    socket.uncork();
  }

  /** The server asks for the text of a message that it has refused. */
  function refuseText(of: Transaction, refused: SmtpResult): void {
    if (isOfSender(refused)) {
      // A server that wants the text of a refused sender might accept even an empty one.
      finish(of, refused);
      end();
    } else {
      // RFC 2920, 3.1: the client must end the text, which has no recipients.
      awaited = 'lone dot';
      socket.write(FINAL_DOT);
    }
  }

  function onTextWritten(error?: Error | null): void {
    if (!error && phase === 'text') phase = 'dot';
  }

  function refusal(response: string, responseCode: number, code: string): SmtpResult {
    const command = awaited === 'MAIL FROM' || awaited === 'RCPT TO' ? awaited : 'DATA';
    return { accepted: false, failure: { phase, code, command, responseCode, response } };
  }

  /** After a protocol error later replies can't be matched to commands. */
  function abort(): void {
    if (current) finish(current, { accepted: false, failure: { ...NOT_BEGUN, code: 'EPROTOCOL', phase } });
    end();
  }

  function finish(of: Transaction, result: SmtpResult): void {
    phase = 'envelope';
    if (!of.done) {
      of.result = result;
      awaited = null;
      return;
    }
    current = pipelined;
    pipelined = null;
    awaited = current ? 'MAIL FROM' : null;
    of.done(result);
  }

  const transactionOf = (message: SmtpMessage): Transaction => ({
    message,
    commands: commandsFor(message, abilities),
    done: null,
    following: undefined,
    refused: null,
    result: null,
    wantsText: false,
  });

  return {
    get phase() {
      return phase;
    },
    send(message, done, following) {
      const fault = faultOf(message, abilities);
      if (fault) return done({ accepted: false, failure: { ...NOT_BEGUN, ...fault, phase } });
      const isPipelined = current?.message === message;
      if (current && !isPipelined) {
        // This message's text would go to the recipient of the pipelined message.
        done({ accepted: false, failure: { ...NOT_BEGUN, phase } });
        return end();
      }
      const own = current ?? transactionOf(message);
      current = own;
      own.done = done;
      own.following = following;
      if (own.result) finish(own, own.result);
      else if (own.wantsText) sendText(own);
      else if (!isPipelined) {
        awaited = 'MAIL FROM';
        socket.write(abilities.pipelining ? own.commands.join('') : (own.commands[0] ?? ''));
      }
    },
    reset(done) {
      afterReset = done;
      awaited = 'RSET';
      socket.write('RSET\r\n');
    },
  };
}

const isOfSender = (result: SmtpResult): boolean => !result.accepted && result.failure.command === 'MAIL FROM';
