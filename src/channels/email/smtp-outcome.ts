import type { Outcome } from '../../notifications/delivery/outcome.ts';
import { NO_SUCH_MAILBOX } from '../../notifications/providers/suppression.ts';
import { enhancedCodeOf, type SmtpWords, wordsOfReply } from './smtp-reply.ts';

/**
 * How far a message had come: waiting for a connection · DNS, TCP, TLS, greeting, EHLO · login · MAIL, RCPT and DATA ·
 * its text being written · the final dot handed over. From `text` on the server may have all of it.
 */
export type SmtpPhase = 'queue' | 'connect' | 'auth' | 'envelope' | 'text' | 'dot';

/** Why a message was not accepted, in nodemailer's words. */
export type SmtpFailure = {
  phase: SmtpPhase;
  /** nodemailer's code such as ECONNECTION, or the system's where there is one */
  code: string | null;
  /** the command the server answered, e.g. `RCPT TO` */
  command: string | null;
  responseCode: number | null;
  /** the server's words: looked at here, never passed on */
  response: string | null;
};

/** The SMTP rows of the retry table (delivery.md). */
export function smtpOutcome(failure: SmtpFailure): Outcome {
  const { responseCode } = failure;
  return responseCode !== null && responseCode >= 400 && responseCode < 600
    ? outcomeOfReply(failure, responseCode)
    : outcomeOfSilence(failure);
}

/** No answer that says no: what counts is whether the text may have arrived. */
function outcomeOfSilence({ phase, code, command }: SmtpFailure): Outcome {
  const detail = `smtp ${phase} ${code ?? 'closed'}`;
  if (phase === 'text' || phase === 'dot') return { kind: 'ambiguous', detail };
  // no login is possible with these credentials on this server
  if (phase === 'auth' && code === 'EAUTH') return { kind: 'configuration', detail };
  if (phase === 'queue') return { kind: 'infrastructure', detail, of: 'queue' };
  if (phase === 'envelope') {
    // Not sent: larger than the server's SIZE, an address that this server can't write (others may), or none can.
    if (code === 'EMESSAGE' || code === 'ESMTPUTF8') return { kind: 'refused', detail };
    if (code === 'EENVELOPE' && command === 'API') return { kind: 'bad_address', detail };
  }
  return { kind: 'infrastructure', detail };
}

/**
 * A reply of 4xx or 5xx: the server has not taken the message, whenever it came. The codes decide; words only where they
 * are in one of the tables of smtp-reply.ts.
 */
function outcomeOfReply(failure: SmtpFailure, basic: number): Outcome {
  const response = failure.response ?? '';
  const code = enhancedCodeOf(response);
  const detail = code ? `smtp ${basic} ${code}` : `smtp ${basic}`;
  const words = wordsOfReply(response);
  if (basic === 530 || basic === 534 || basic === 535 || basic === 538) return { kind: 'configuration', detail };
  if (words.connectionIsUsedUp) return { kind: 'infrastructure', detail };
  // What is said about one mailbox never slows down the others.
  if (basic < 500 && !isOfMailbox(code) && (isThrottle(basic, code) || words.throttled))
    return { kind: 'throttled', detail };
  const kind = refusalIn(failure, basic, code, words);
  // From RCPT TO on the recipient may be the reason: only several refusals in a row speak against the server.
  const isOfEveryMessage = ['connect', 'auth'].includes(failure.phase) || isOf(failure, 'MAIL FROM');
  return kind === 'configuration' && !isOfEveryMessage ? { kind, detail, of: 'route' } : { kind, detail };
}

type Refusal = 'infrastructure' | 'bad_address' | 'mailbox_full' | 'configuration' | 'refused' | 'transient';

function refusalIn(failure: SmtpFailure, basic: number, code: string, words: SmtpWords): Refusal {
  switch (failure.phase) {
    case 'queue':
    case 'connect':
      // TLS was asked for, and the server has none: no later message could be sent either.
      return failure.command === 'STARTTLS' && basic >= 500 ? 'configuration' : 'infrastructure';
    case 'auth':
      return basic >= 500 ? 'configuration' : 'infrastructure';
    default:
      if (words.relayDenied) return 'configuration';
      if (basic >= 500) return permanentRefusal(failure, basic, code, words);
      return basic === 421 && failure.phase === 'envelope' && !isOfMailbox(code) ? 'infrastructure' : 'transient';
  }
}

function permanentRefusal(failure: SmtpFailure, basic: number, code: string, words: SmtpWords): Refusal {
  // Bad sequence of commands: the session was at fault, not the message.
  if (basic === 503) return 'transient';
  // Size and content are all that MAIL FROM tells of the message: anything else is about the sender.
  if (isOf(failure, 'MAIL FROM'))
    return basic === 552 || code === '5.3.4' || code.startsWith('5.6.') ? 'refused' : 'configuration';
  if (code === '5.2.2') return 'mailbox_full';
  if (OURS.has(code) || words.senderRefused) return 'configuration';
  if (NO_SUCH_MAILBOX.has(code)) return 'bad_address';
  // After the text, words and bare codes may be about the text.
  if (!isOf(failure, 'RCPT TO') || !UNSPECIFIC.has(code)) return 'refused';
  if (basic === 552) return 'mailbox_full';
  return words.noSuchMailbox ? 'bad_address' : 'refused';
}

const isOf = ({ phase, command }: SmtpFailure, of: 'MAIL FROM' | 'RCPT TO'): boolean =>
  phase === 'envelope' && command === of;

/** Codes that say nothing of the kind of refusal. */
const UNSPECIFIC: ReadonlySet<string> = new Set(['', '5.0.0', '5.1.0', '5.2.0', '5.3.0', '5.5.0']);

/**
 * Our sender, login, relaying right, quota or DNS records are refused: RFC 3463, RFC 5248 and RFC 7372; 5.4.5 and 5.7.5x
 * and up as Gmail and Exchange use them.
 */
const OURS: ReadonlySet<string> = new Set([
  ...['5.1.7', '5.1.8', '5.1.90', '5.4.5'],
  ...['5.7.8', '5.7.9', '5.7.10', '5.7.11', '5.7.12', '5.7.13', '5.7.14'],
  ...['5.7.20', '5.7.21', '5.7.22', '5.7.23', '5.7.24', '5.7.25', '5.7.26', '5.7.27', '5.7.28', '5.7.29', '5.7.30'],
  ...['5.7.54', '5.7.57', '5.7.60', '5.7.61', '5.7.64', '5.7.68', '5.7.232', '5.7.233'],
  ...['5.7.501', '5.7.502', '5.7.503', '5.7.508', '5.7.511', '5.7.703', '5.7.705', '5.7.708', '5.7.750'],
]);

/** Codes about the state of one mailbox or address (RFC 3463, 3.2 and 3.3). */
const isOfMailbox = (code: string): boolean =>
  code.startsWith('4.2.') || (code.startsWith('4.1.') && code !== '4.1.7' && code !== '4.1.8');

const isThrottle = (basic: number, code: string): boolean =>
  (basic === 421 && code.startsWith('4.7.')) ||
  (basic === 454 && code === '4.7.0') ||
  (basic === 432 && code === '4.3.2') ||
  ['4.4.5', '4.5.3', '4.7.28'].includes(code);
