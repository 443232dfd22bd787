import type { Outcome } from '../../notifications/outcome.ts';
import { NO_SUCH_MAILBOX } from '../../notifications/providers/suppression.ts';

/**
 * How far a message got: waiting for a connection · DNS, TCP, TLS, greeting, EHLO · login · MAIL, RCPT and DATA · writing
 * the text · final dot written. From `text` on the server may have the whole message.
 */
export type SmtpPhase = 'queue' | 'connect' | 'auth' | 'envelope' | 'text' | 'dot';

/** Why a message was not accepted. */
export type SmtpFailure = {
  phase: SmtpPhase;
  /** the system's error code, or a code such as ECONNECTION */
  code: string | null;
  /** the command the server answered, e.g. `RCPT TO` */
  command: string | null;
  responseCode: number | null;
  /** the server's text: used for classification only, never passed on */
  response: string | null;
};

/** The meaning of a failed transaction with a mail server. */
export function smtpOutcome(failure: SmtpFailure): Outcome {
  const { responseCode } = failure;
  return responseCode !== null && responseCode >= 400 && responseCode < 600
    ? outcomeOfReply(failure, responseCode)
    : outcomeWithoutReply(failure);
}

/** Without a refusal the outcome depends on whether the text may have arrived. */
function outcomeWithoutReply({ phase, code, command }: SmtpFailure): Outcome {
  const detail = `smtp ${phase} ${code ?? 'closed'}`;
  if (phase === 'text' || phase === 'dot') return { kind: 'ambiguous', detail };
  if (phase === 'auth' && code === 'EAUTH') return { kind: 'configuration', detail };
  if (phase === 'queue') return { kind: 'infrastructure', detail, of: 'queue' };
  if (phase === 'envelope') {
    // Not sent: larger than the server's SIZE, an address without SMTPUTF8 support here, or an invalid address.
    if (code === 'EMESSAGE' || code === 'ESMTPUTF8') return { kind: 'refused', detail };
    if (code === 'EENVELOPE' && command === 'API') return { kind: 'bad_address', detail };
  }
  return { kind: 'infrastructure', detail };
}

/**
 * A reply of 4xx or 5xx in any phase: the server has not accepted the message. Codes decide; the text counts only if it
 * matches a table of phrases.
 */
function outcomeOfReply(failure: SmtpFailure, basic: number): Outcome {
  const response = failure.response ?? '';
  const code = enhancedCodeOf(response);
  const detail = code ? `smtp ${basic} ${code}` : `smtp ${basic}`;
  const words = wordsOfReply(response);
  if (basic === 530 || basic === 534 || basic === 535 || basic === 538) return { kind: 'configuration', detail };
  if (words.connectionIsUsedUp) return { kind: 'infrastructure', detail };
  // A reply about one mailbox must not slow down the others.
  if (basic < 500 && !isOfMailbox(code) && (isThrottle(basic, code) || words.throttled))
    return { kind: 'throttled', detail };
  const kind = refusalIn(failure, basic, code, words);
  // From RCPT TO on the recipient may be the reason: only several refusals in a row mean that our settings are wrong.
  const isOfEveryMessage = ['connect', 'auth'].includes(failure.phase) || isOf(failure, 'MAIL FROM');
  return kind === 'configuration' && !isOfEveryMessage ? { kind, detail, of: 'route' } : { kind, detail };
}

type Refusal = 'infrastructure' | 'bad_address' | 'mailbox_full' | 'configuration' | 'refused' | 'transient';

function refusalIn(failure: SmtpFailure, basic: number, code: string, words: SmtpWords): Refusal {
  switch (failure.phase) {
    case 'queue':
    case 'connect':
      // TLS is required and the server has none: no later message could be sent either.
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
  // Bad sequence of commands: a fault of the session, not of the message.
  if (basic === 503) return 'transient';
  // MAIL FROM reveals only size and content type of the message: any other refusal is about the sender.
  if (isOf(failure, 'MAIL FROM'))
    return basic === 552 || code === '5.3.4' || code.startsWith('5.6.') ? 'refused' : 'configuration';
  if (code === '5.2.2') return 'mailbox_full';
  if (OURS.has(code) || words.senderRefused) return 'configuration';
  if (NO_SUCH_MAILBOX.has(code)) return 'bad_address';
  // After the text was sent, the reply and unspecific codes may be about the text.
  if (!isOf(failure, 'RCPT TO') || !UNSPECIFIC.has(code)) return 'refused';
  if (basic === 552) return 'mailbox_full';
  return words.noSuchMailbox ? 'bad_address' : 'refused';
}

const isOf = ({ phase, command }: SmtpFailure, of: 'MAIL FROM' | 'RCPT TO'): boolean =>
  phase === 'envelope' && command === of;

/** Codes that don't name the kind of refusal. */
const UNSPECIFIC: ReadonlySet<string> = new Set(['', '5.0.0', '5.1.0', '5.2.0', '5.3.0', '5.5.0']);

/** The last number of codes 5.7.x about our sender, login, right to relay or DNS records; from 50 as Exchange uses them. */
const OUR_POLICY_CODES = [
  8, 9, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 54, 57, 60, 61, 64, 68, 232, 233, 501, 502, 503,
  508, 511, 703, 705, 708, 750,
];

/** The server refuses us and not this message: RFC 3463, RFC 5248 and RFC 7372; 5.4.5 is a quota of Gmail. */
const OURS = new Set(['5.1.7', '5.1.8', '5.1.90', '5.4.5', ...OUR_POLICY_CODES.map((last) => `5.7.${last}`)]);

/** Codes about the state of one mailbox or address (RFC 3463, 3.2 and 3.3). */
const isOfMailbox = (code: string): boolean =>
  code.startsWith('4.2.') || (code.startsWith('4.1.') && code !== '4.1.7' && code !== '4.1.8');

const isThrottle = (basic: number, code: string): boolean =>
  (basic === 421 && code.startsWith('4.7.')) ||
  (basic === 454 && code === '4.7.0') ||
  (basic === 432 && code === '4.3.2') ||
  ['4.4.5', '4.5.3', '4.7.28'].includes(code);

/**
 * Meanings that an SMTP reply expresses in its text and not in its codes: closed tables of phrases that servers are known
 * to use (Postfix, Exim, OpenSMTPD, sendmail, qmail, Exchange, Gmail, Amazon SES, Yahoo). Every phrase contains a blank,
 * so that no unquoted local part can match.
 */
type SmtpWords = ReturnType<typeof wordsOfReply>;

/** This connection reached its limit of messages or errors: a new connection may continue. */
const CONNECTION_IS_USED_UP =
  /\btoo many (?:\w+ ){1,5}(?:in|on|for|over) (?:this |one |a |the |each )?(?:smtp )?(?:connection|session)\b|\bper (?:smtp )?(?:connection|session)\b|\btoo many messages sent\b|\btoo many (?:(?:bad|nonmail|unrecogni[sz]ed|unknown|invalid) commands|(?:\w+ ){0,3}errors)\b/i;

/** Messages are arriving too fast. */
const THROTTLED =
  /\btoo (?:many|much) (?:\w+ ){0,2}(?:recipients|messages|mails?|e-?mails|connections|sessions|requests|smtp connections|auth commands)\b|\brate (?:limit|exceeded)|\bthrottling failure\b|\b(?:sending|message) rate\b|\bconcurrent connections limit\b|\bslow down\b|\bexceeded (?:your|the) (?:\w+ ){0,2}messaging limit/i;

/** The server does not relay for us, or requires a login. */
const RELAY_DENIED =
  /\brelay(?:ing)? (?:access )?(?:is |was )?(?:temporarily )?(?:denied|not permitted|not allowed|prohibited|forbidden|refused)\b|\bunable to relay\b|\b(?:not (?:permitted|allowed|authori[sz]ed)|refus\w+) to relay\b|\b(?:do|does) not relay\b|\b(?:credentials|authenti\w+) for relay\b|\blist of allowed rcpthosts\b|\bauthentication (?:is )?(?:required|needed)\b|\bmust (?:be authenticated|authenticate|log ?in|issue an? (?:auth|starttls) command)\b|\bclient was not authenticated\b/i;

/** Our sender, host or account was refused, or our quota is used up. */
const SENDER_REFUSED =
  /\bsender (?:address )?(?:is )?(?:rejected|refused|denied|not allowed|verify failed|verification failed|unknown)\b|\bclient host (?:was )?rejected\b|\b(?:helo|ehlo) command rejected\b|\bsend as this sender\b|\bunauthenticated senders?\b|\b(?:e-?mail|from) address (?:is|does) not (?:verified|match)\b|\bsending (?:is |has been )?(?:paused|suspended|disabled|blocked)\b|\b(?:daily|hourly|monthly|sending|submission|relay|messaging|outbound) (?:\w+ ){0,4}(?:limit|quota)\b/i;

const MAILBOX_UNKNOWN =
  /\bno such (?:user|mailbox|recipient|address|account|person)\b|\b(?:user|mailbox|recipient|account|address) (?:is )?(?:unknown|not found|not known)\b|\b(?:user|mailbox|recipient|account) (?:\w+ ){0,8}?(?:does not|doesn['’]t) exist\b|\bunknown (?:user|recipient|mailbox|local[- ]part)\b|\bno mailbox here by that name\b|\b(?:does not|doesn['’]t) have an? \S{1,60} account\b/i;

/** Characters of a reply that are examined. */
const READ_UP_TO = 2_000;

/** @param response one reply with all of its lines */
function wordsOfReply(response: string) {
  const own = ownWords(response);
  return {
    connectionIsUsedUp: CONNECTION_IS_USED_UP.test(own),
    throttled: THROTTLED.test(own),
    relayDenied: RELAY_DENIED.test(own),
    senderRefused: SENDER_REFUSED.test(own),
    // "Cannot verify the sender: no such user" is about our sender.
    noSuchMailbox: !/\bsender\b/i.test(own) && MAILBOX_UNKNOWN.test(own),
  };
}

/**
 * The server's own words: without codes, without addresses and quotations (anyone may choose an address), and without
 * quoted replies of other servers.
 */
function ownWords(response: string): string {
  return response
    .slice(0, READ_UP_TO)
    .split('\n')
    .map((line) => line.replace(/^\d{3}[ -]?(?:\d\.\d{1,3}\.\d{1,3}\b)?/, ''))
    .join(' ')
    .replace(/"(?:\\.|[^"\\])*(?:"|$)/g, '<>')
    .replace(/<[^>]*(?:>|$)/g, ' <> ')
    .replace(/[^\s<>]*@[^\s<>]*/g, ' <> ')
    .replace(/\b(?:said|was|response|responded):.*$/is, '')
    .replace(/\s+/g, ' ');
}

/** Whether this reply ends the connection, or the server accepts no further message on it. */
export const endsConnection = (response: string): boolean =>
  response.startsWith('421') || (/^[45]/.test(response) && wordsOfReply(response).connectionIsUsedUp);

/** The enhanced status code (RFC 3463) of a reply, or ''. */
const enhancedCodeOf = (response: string): string => /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? '';
