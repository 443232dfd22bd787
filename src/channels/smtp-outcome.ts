import type { Outcome } from '../notifications/outcome.ts';

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
    // nodemailer itself refused: larger than the server's SIZE, or an address that no envelope can carry
    if (code === 'EMESSAGE') return { kind: 'refused', detail };
    if (code === 'EENVELOPE' && command === 'API') return { kind: 'bad_address', detail };
  }
  return { kind: 'infrastructure', detail };
}

/** A reply of 4xx or 5xx: the server has not taken the message, whenever it came. */
function outcomeOfReply(failure: SmtpFailure, basic: number): Outcome {
  const enhanced = enhancedCodeOf(failure.response ?? '');
  const detail = enhanced ? `smtp ${basic} ${enhanced}` : `smtp ${basic}`;
  if (isThrottle(basic, enhanced, failure.response ?? '')) return { kind: 'throttled', detail };
  if (basic === 530 || basic === 534 || basic === 535 || basic === 538) return { kind: 'configuration', detail };
  switch (failure.phase) {
    case 'queue':
    case 'connect':
      return { kind: 'infrastructure', detail };
    case 'auth':
      return { kind: basic >= 500 ? 'configuration' : 'infrastructure', detail };
    case 'envelope':
      if (basic === 421) return { kind: 'infrastructure', detail };
      return basic < 500
        ? { kind: 'transient', detail }
        : { kind: refusalOfEnvelope(failure, basic, enhanced), detail };
    default:
      // after the text a bare 550 is about the text: an address is only given up on 5.1.x there
      return basic < 500 ? { kind: 'transient', detail } : { kind: refusalOf(basic, enhanced), detail };
  }
}

type Refusal = 'bad_address' | 'mailbox_full' | 'configuration' | 'refused' | 'transient';

function refusalOfEnvelope({ command }: SmtpFailure, basic: number, enhanced: string): Refusal {
  const known = refusalOf(basic, enhanced);
  // a refused sender is our setting, and says nothing about the address the message goes to
  if (command === 'MAIL FROM') return known === 'bad_address' || isUnknown(basic, enhanced) ? 'configuration' : known;
  return isUnknown(basic, enhanced) ? 'bad_address' : known;
}

function refusalOf(basic: number, enhanced: string): Refusal {
  if (enhanced === '5.1.7' || enhanced === '5.1.8') return 'configuration';
  if (enhanced.startsWith('5.1.')) return 'bad_address';
  if (enhanced === '5.2.2') return 'mailbox_full';
  if (basic === 552 && (enhanced === '' || enhanced === '5.0.0')) return 'mailbox_full';
  // bad sequence of commands: the session was at fault, not the message
  return basic === 503 ? 'transient' : 'refused';
}

/** 550, 551 and 553 that say no more than "not this mailbox". */
const isUnknown = (basic: number, enhanced: string): boolean =>
  (basic === 550 || basic === 551 || basic === 553) && ['', '5.0.0', '5.2.1', '5.4.1'].includes(enhanced);

function isThrottle(basic: number, enhanced: string, response: string): boolean {
  if (basic >= 500) return false;
  if (basic === 421 && enhanced.startsWith('4.7.')) return true;
  if (basic === 454 && enhanced === '4.7.0') return true;
  return /\brate\b|\bthrottl|too (?:many|much) (?:messages|mail|connections|concurrent)/i.test(response);
}

/** The enhanced status code (RFC 3463) of a reply, or ''. */
const enhancedCodeOf = (response: string): string => /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? '';
