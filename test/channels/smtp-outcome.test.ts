import { describe, expect, it } from 'vitest';
import { type SmtpPhase, smtpOutcome } from '../../src/channels/smtp-outcome.ts';
import type { OutcomeKind } from '../../src/notifications/outcome.ts';

const reply = (phase: SmtpPhase, response: string, command = 'RCPT TO') => ({
  phase,
  code: 'EENVELOPE',
  command,
  responseCode: Number(response.slice(0, 3)),
  response,
});
const silence = (phase: SmtpPhase, code: string, command = 'CONN') => ({
  phase,
  code,
  command,
  responseCode: null,
  response: null,
});

/** The retry table of delivery.md, row by row. */
const REPLIES: [SmtpPhase, string, OutcomeKind][] = [
  // connect, DNS, TLS, greeting
  ['connect', '554 5.3.2 no service here', 'infrastructure'],
  ['connect', '450 4.3.2 not now', 'infrastructure'],
  ['connect', '421 4.3.2 shutting down', 'infrastructure'],
  // 421 before DATA
  ['envelope', '421 closing', 'infrastructure'],
  ['envelope', '421 4.3.2 closing', 'infrastructure'],
  // a 421 after the text says that it was not taken
  ['dot', '421 4.3.0 closing', 'transient'],
  // 450, 451, 452, 4.x.x
  ['envelope', '450 4.2.0 greylisted', 'transient'],
  ['envelope', '451 4.3.0 local error', 'transient'],
  ['envelope', '452 4.2.2 mailbox full', 'transient'],
  ['envelope', '450 4.7.1 greylisted, try again', 'transient'],
  ['dot', '451 4.3.0 try later', 'transient'],
  ['dot', '452 4.3.1 no space', 'transient'],
  ['text', '451 4.3.0 stop', 'transient'],
  // 454 4.7.0, 421 4.7.x, rate
  ['connect', '421 4.7.0 try later', 'throttled'],
  ['auth', '454 4.7.0 temporary authentication failure', 'throttled'],
  ['envelope', '421 4.7.28 unusual amount of mail', 'throttled'],
  ['envelope', '454 4.7.0 slow down', 'throttled'],
  ['envelope', '450 4.2.1 receiving mail at a rate that is too high', 'throttled'],
  ['dot', '451 4.7.1 rate limited', 'throttled'],
  ['dot', '452 too many messages', 'throttled'],
  // 535, 530
  ['auth', '535 5.7.8 bad credentials', 'configuration'],
  ['auth', '534 5.7.9 stronger mechanism needed', 'configuration'],
  ['auth', '504 5.7.4 unknown mechanism', 'configuration'],
  ['auth', '421 closing', 'infrastructure'],
  ['envelope', '530 5.7.0 authenticate first', 'configuration'],
  ['dot', '530 5.7.0 authenticate first', 'configuration'],
  // 550, 551, 553, 5.1.x
  ['envelope', '550 5.1.1 no such user', 'bad_address'],
  ['envelope', '550-5.1.1 no such user\n550 5.1.1 really', 'bad_address'],
  ['envelope', '550 no such user', 'bad_address'],
  ['envelope', '551 5.1.6 moved', 'bad_address'],
  ['envelope', '551 not local', 'bad_address'],
  ['envelope', '553 5.1.3 bad syntax', 'bad_address'],
  ['envelope', '553 not allowed', 'bad_address'],
  ['envelope', '501 5.1.3 bad syntax', 'bad_address'],
  ['envelope', '550 5.2.1 mailbox disabled', 'bad_address'],
  ['dot', '550 5.1.1 no such user', 'bad_address'],
  // 552 5.2.2
  ['envelope', '552 5.2.2 mailbox full', 'mailbox_full'],
  ['envelope', '552 storage exceeded', 'mailbox_full'],
  ['envelope', '550 5.2.2 mailbox full', 'mailbox_full'],
  ['dot', '552 5.2.2 mailbox full', 'mailbox_full'],
  // 554, 5.6, 5.7.1
  ['envelope', '554 5.7.1 blocked', 'refused'],
  ['envelope', '550 5.7.1 relaying denied', 'refused'],
  ['envelope', '553 5.7.1 policy', 'refused'],
  ['dot', '554 5.6.0 malformed', 'refused'],
  ['dot', '550 5.6.1 not supported', 'refused'],
  ['dot', '554 spam', 'refused'],
  ['dot', '552 5.3.4 too large', 'refused'],
  // after the text a bare 550 is about the text
  ['dot', '550 spam', 'refused'],
  ['envelope', '500 5.5.2 syntax', 'refused'],
  ['envelope', '503 5.5.1 bad sequence', 'transient'],
];

describe('the answer of an SMTP server means', () => {
  it.each(REPLIES)('%s: %s → %s', (phase, response, kind) => {
    expect(smtpOutcome(reply(phase, response)).kind).toBe(kind);
  });

  it.each([
    ['550 5.1.7 bad sender', 'configuration'],
    ['550 5.1.8 sender domain', 'configuration'],
    ['550 sender refused', 'configuration'],
    ['553 5.1.0 sender refused', 'configuration'],
    ['554 5.7.1 blocked', 'refused'],
    ['451 4.1.8 sender domain', 'transient'],
    ['552 5.3.4 too large', 'refused'],
  ])('a refused sender never costs the receiver their address: MAIL FROM %s → %s', (response, kind) => {
    expect(smtpOutcome(reply('envelope', response, 'MAIL FROM')).kind).toBe(kind);
  });

  it('tells codes and nothing of what the server wrote', () => {
    const outcome = smtpOutcome(reply('envelope', '550 5.1.1 <ada@example.org> no such user'));
    expect(outcome).toEqual({ kind: 'bad_address', detail: 'smtp 550 5.1.1' });
  });
});

describe('no answer means', () => {
  const SILENCES: [SmtpPhase, string, string, OutcomeKind][] = [
    ['queue', 'ETIMEDOUT', 'CONN', 'infrastructure'],
    ['connect', 'ECONNREFUSED', 'CONN', 'infrastructure'],
    ['connect', 'EDNS', 'CONN', 'infrastructure'],
    ['connect', 'ETLS', 'CONN', 'infrastructure'],
    ['connect', 'ETIMEDOUT', 'CONN', 'infrastructure'],
    ['auth', 'ECONNECTION', 'CONN', 'infrastructure'],
    ['auth', 'EAUTH', 'API', 'configuration'],
    ['envelope', 'ECONNECTION', 'CONN', 'infrastructure'],
    ['envelope', 'ETIMEDOUT', 'CONN', 'infrastructure'],
    ['envelope', 'EMESSAGE', 'MAIL FROM', 'refused'],
    ['envelope', 'EENVELOPE', 'API', 'bad_address'],
    ['text', 'ECONNECTION', 'CONN', 'ambiguous'],
    ['text', 'ETIMEDOUT', 'CONN', 'ambiguous'],
    ['dot', 'ECONNECTION', 'CONN', 'ambiguous'],
    ['dot', 'ETIMEDOUT', 'CONN', 'ambiguous'],
  ];
  it.each(SILENCES)('%s %s %s → %s', (phase, code, command, kind) => {
    expect(smtpOutcome(silence(phase, code, command)).kind).toBe(kind);
  });
});
