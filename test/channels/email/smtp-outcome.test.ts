import { describe, expect, it } from 'vitest';
import { type SmtpPhase, smtpOutcome } from '../../../src/channels/email/smtp-outcome.ts';
import type { OutcomeKind } from '../../../src/notifications/outcome.ts';
import { REAL_REPLIES } from './real-replies.ts';

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

/** The retry table, row by row. */
const REPLIES: [SmtpPhase, string, OutcomeKind][] = [
  // connect, DNS, TLS, greeting
  ['connect', '554 5.3.2 no service here', 'infrastructure'],
  ['connect', '450 4.3.2 not now', 'infrastructure'],
  ['connect', '421 4.3.2 shutting down', 'infrastructure'],
  // 421 before DATA
  ['envelope', '421 closing', 'infrastructure'],
  ['envelope', '421 4.3.2 closing', 'infrastructure'],
  ['envelope', '421 4.1.7 sender address', 'infrastructure'],
  ['envelope', '421 4.1.8 sender domain', 'infrastructure'],
  // of one mailbox
  ['envelope', '421 4.2.1 mailbox busy', 'transient'],
  ['envelope', '421 4.1.1 mailbox busy', 'transient'],
  ['envelope', '450 4.2.1 too many messages for this user', 'transient'],
  // a 421 after the text means that it was not accepted
  ['dot', '421 4.3.0 closing', 'transient'],
  // 450, 451, 452, 4.x.x
  ['envelope', '450 4.2.0 greylisted', 'transient'],
  ['envelope', '451 4.3.0 local error', 'transient'],
  ['envelope', '452 4.2.2 mailbox full', 'transient'],
  ['envelope', '450 4.7.1 greylisted, try again', 'transient'],
  ['envelope', '450 4.7.0 try again', 'transient'],
  ['dot', '451 4.3.0 try later', 'transient'],
  ['dot', '452 4.3.1 no space', 'transient'],
  ['text', '451 4.3.0 stop', 'transient'],
  // 454 4.7.0, 421 4.7.x, rate
  ['connect', '421 4.7.0 try later', 'throttled'],
  ['auth', '454 4.7.0 temporary authentication failure', 'throttled'],
  ['envelope', '421 4.7.28 unusual amount of mail', 'throttled'],
  ['envelope', '454 4.7.0 slow down', 'throttled'],
  ['dot', '451 4.7.1 rate limited', 'throttled'],
  ['dot', '452 too many messages', 'throttled'],
  ['envelope', '451 4.4.5 busy', 'throttled'],
  ['envelope', '554 5.7.1 too many messages', 'refused'],
  // 535, 530
  ['auth', '535 5.7.8 bad credentials', 'configuration'],
  ['auth', '534 5.7.9 stronger mechanism needed', 'configuration'],
  ['auth', '504 5.7.4 unknown mechanism', 'configuration'],
  ['auth', '421 closing', 'infrastructure'],
  ['envelope', '530 5.7.0 authenticate first', 'configuration'],
  ['envelope', '534 stronger mechanism needed', 'configuration'],
  ['envelope', '535 bad credentials', 'configuration'],
  ['envelope', '538 encryption needed', 'configuration'],
  ['dot', '530 5.7.0 authenticate first', 'configuration'],
  // 550, 551, 553 with a code for "no such mailbox"
  ['envelope', '550 5.1.1 no such user', 'bad_address'],
  ['envelope', '550-5.1.1 no such user\n550 5.1.1 really', 'bad_address'],
  ['envelope', '551 5.1.6 moved', 'bad_address'],
  ['dot', '550 5.1.1 no such user', 'bad_address'],
  // other codes concern the message, never the address
  ['envelope', '550 5.1.0 address rejected', 'refused'],
  ['envelope', '553 5.1.3 bad syntax', 'refused'],
  ['envelope', '501 5.1.3 bad syntax', 'refused'],
  ['envelope', '550 5.2.1 mailbox disabled', 'refused'],
  ['envelope', '551 not local', 'refused'],
  ['envelope', '550 cannot verify the sender: no such user', 'refused'],
  ['envelope', '553 not allowed', 'refused'],
  // 552 5.2.2
  ['envelope', '552 5.2.2 mailbox full', 'mailbox_full'],
  ['envelope', '552 storage exceeded', 'mailbox_full'],
  ['envelope', '550 5.2.2 mailbox full', 'mailbox_full'],
  ['dot', '552 5.2.2 mailbox full', 'mailbox_full'],
  // 554, 5.6, 5.7.1
  ['envelope', '554 5.7.1 blocked', 'refused'],
  ['envelope', '553 5.7.1 policy', 'refused'],
  ['dot', '554 5.6.0 malformed', 'refused'],
  ['dot', '550 5.6.1 not supported', 'refused'],
  ['dot', '554 spam', 'refused'],
  ['dot', '552 5.3.4 too large', 'refused'],
  // after the text an unspecific 550 is about the text, whatever its words
  ['dot', '550 spam', 'refused'],
  ['dot', '550 no such user in the subject', 'refused'],
  ['envelope', '500 5.5.2 syntax', 'refused'],
  ['envelope', '503 5.5.1 bad sequence', 'transient'],
];

/** Addresses that contain phrases of the tables: they must not count as the server's words. */
const CHOSEN = [
  'rate@home.example',
  'throttled@home.example',
  'too-many-messages@home.example',
  '"too many recipients"@home.example',
  '"rate limit exceeded \\" too much mail"@home.example',
  'relay-access-denied@home.example',
  '"relay access denied"@home.example',
  '"sender rejected"@home.example',
  'too.many.connections@žluťoučký.example',
  '"slow down',
];

describe('the answer of an SMTP server', () => {
  it.each(REPLIES)('at %s the reply %s means %s', (phase, response, kind) => {
    expect(smtpOutcome(reply(phase, response)).kind).toBe(kind);
  });

  describe.each(Object.entries(REAL_REPLIES))('%s', (_server, replies) => {
    it.each(replies)('%s means %s', (response, kind, phase = 'envelope') => {
      const command = phase === 'envelope' ? 'RCPT TO' : phase === 'connect' ? 'CONN' : 'DATA';
      expect(smtpOutcome(reply(phase, response, command)).kind).toBe(kind);
    });
  });

  it.each(CHOSEN)('means the same if it repeats the address %s', (address) => {
    const said = (text: string) => smtpOutcome(reply('envelope', Buffer.from(text).toString('latin1'))).kind;
    for (const echo of [`<${address}>`, address]) {
      expect(said(`450 4.3.0 ${echo}: try again later`)).toBe('transient');
      expect(said(`450 ${echo}: try again later`)).toBe('transient');
      expect(said(`550 5.7.1 policy: ${echo}`)).toBe('refused');
      expect(said(`550-policy\n550 ${echo}`)).toBe('refused');
    }
  });

  it('means the same if it quotes the reply of another server', () => {
    const said = (text: string) => smtpOutcome(reply('envelope', text)).kind;
    const other = 'Recipient address rejected: unverified address: host mx.home.example said:';
    expect(said(`450 4.1.1 <ada@home.example>: ${other} 450 too many recipients`)).toBe('transient');
    expect(said(`450 <ada@home.example>: ${other} 450 too many recipients`)).toBe('transient');
    expect(said(`550 5.1.0 <ada@home.example>: ${other} 550 relay not permitted`)).toBe('refused');
  });

  it('fails the server if it refuses the sender, but not if it refuses one recipient', () => {
    const relay = '550 relay not permitted';
    expect(smtpOutcome(reply('envelope', relay))).toEqual({ kind: 'configuration', detail: 'smtp 550', of: 'route' });
    expect(smtpOutcome(reply('envelope', relay, 'MAIL FROM'))).toEqual({ kind: 'configuration', detail: 'smtp 550' });
    expect(smtpOutcome(reply('auth', '535 5.7.8 no'))).toEqual({ kind: 'configuration', detail: 'smtp 535 5.7.8' });
    expect(smtpOutcome(reply('auth', '504 5.7.4 no'))).toEqual({ kind: 'configuration', detail: 'smtp 504 5.7.4' });
  });

  it.each([
    ['550 5.1.7 bad sender', 'configuration'],
    ['550 5.1.8 sender domain', 'configuration'],
    ['550 sender refused', 'configuration'],
    ['550 5.1.1 no such user', 'configuration'],
    ['553 5.1.0 sender refused', 'configuration'],
    ['554 5.7.1 blocked', 'configuration'],
    ['451 4.1.8 sender domain', 'transient'],
    ['552 5.3.4 too large', 'refused'],
    ['554 5.3.4 too large', 'refused'],
    ['554 5.6.1 not supported', 'refused'],
    ['552 Message size exceeds maximum permitted', 'refused'],
  ])('a sender refused with %s never suppresses the recipient and means %s', (response, kind) => {
    expect(smtpOutcome(reply('envelope', response, 'MAIL FROM')).kind).toBe(kind);
  });

  it('is a configuration error without the required STARTTLS', () => {
    expect(smtpOutcome(reply('connect', '502 5.5.1 not implemented', 'STARTTLS')).kind).toBe('configuration');
    expect(smtpOutcome(reply('connect', '454 4.3.0 TLS currently unavailable', 'STARTTLS')).kind).toBe(
      'infrastructure',
    );
  });

  it('is recorded with its codes but never its text', () => {
    const outcome = smtpOutcome(reply('envelope', '550 5.1.1 <ada@example.org> no such user'));
    expect(outcome).toEqual({ kind: 'bad_address', detail: 'smtp 550 5.1.1' });
  });
});

describe('no answer', () => {
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
  it.each(SILENCES)('%s %s %s means %s', (phase, code, command, kind) => {
    expect(smtpOutcome(silence(phase, code, command)).kind).toBe(kind);
  });

  it('of our own queue is named as such', () => {
    expect(smtpOutcome(silence('queue', 'ETIMEDOUT'))).toMatchObject({ of: 'queue' });
  });
});
