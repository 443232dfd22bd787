import { describe, expect, it } from 'vitest';
import { type SmtpPhase, smtpOutcome } from '../../../src/channels/email/smtp-outcome.ts';
import type { OutcomeKind } from '../../../src/notifications/delivery/outcome.ts';

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
  // a 421 after the text means that it was not accepted
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
  ['dot', '451 4.7.1 rate limited', 'throttled'],
  ['dot', '452 too many messages', 'throttled'],
  // 535, 530
  ['auth', '535 5.7.8 bad credentials', 'configuration'],
  ['auth', '534 5.7.9 stronger mechanism needed', 'configuration'],
  ['auth', '504 5.7.4 unknown mechanism', 'configuration'],
  ['auth', '421 closing', 'infrastructure'],
  ['envelope', '530 5.7.0 authenticate first', 'configuration'],
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

/** Replies of real servers, to RCPT TO unless marked otherwise. */
const REAL: Record<string, [string, OutcomeKind, SmtpPhase?][]> = {
  Postfix: [
    ['550 5.1.1 <ada@home.example>: Recipient address rejected: User unknown in local recipient table', 'bad_address'],
    ['550 5.1.2 <ada@no.example>: Recipient address rejected: Domain not found', 'bad_address'],
    ['554 5.7.1 <ada@home.example>: Relay access denied', 'configuration'],
    ['454 4.7.1 <ada@home.example>: Relay access denied', 'configuration'],
    ['553 5.7.1 <school@school.example>: Sender address rejected: not logged in', 'configuration'],
    [
      '550 5.1.0 <school@school.example>: Sender address rejected: User unknown in local recipient table',
      'configuration',
    ],
    ['554 5.7.1 <app.example[192.0.2.7]>: Client host rejected: Access denied', 'configuration'],
    ['504 5.5.2 <app>: Helo command rejected: need fully-qualified hostname', 'configuration'],
    ['554 5.7.1 <ada@home.example>: Recipient address rejected: Access denied', 'refused'],
    ['450 4.2.0 <ada@home.example>: Recipient address rejected: Greylisted', 'transient'],
    ['450 4.7.1 <app.example[192.0.2.7]>: Client host rejected: Greylisted', 'transient'],
    ['450 4.7.1 Error: too many recipients from 192.0.2.7', 'throttled'],
    ['450 4.7.1 Error: too much mail from 192.0.2.7', 'throttled'],
    ['452 4.5.3 Error: too many recipients', 'throttled'],
    ['421 4.7.0 mx.example Error: too many connections from 192.0.2.7', 'throttled', 'connect'],
    ['421 4.7.0 mx.example Error: too many errors', 'infrastructure'],
    ['552 5.3.4 Message size exceeds fixed limit', 'refused'],
  ],
  Exim: [
    ['550 relay not permitted', 'configuration'],
    [
      '550-Verification failed for <school@school.example>\n550-No such user\n550 Sender verify failed',
      'configuration',
    ],
    ['550 Unknown user', 'bad_address'],
    // sent for unknown users, and for every address if routing is not set up
    ['550 Unrouteable address', 'refused'],
    ['550 Administrative prohibition', 'refused'],
    ['421 too many messages in this connection', 'infrastructure'],
    ['421 too many messages in one connection', 'infrastructure', 'envelope'],
    ['421 Too many concurrent SMTP connections; please try again later.', 'throttled', 'connect'],
    ['554 Too many nonmail commands', 'infrastructure'],
    ['452 too many recipients', 'throttled'],
    ['452 Space shortage, please try later', 'transient'],
  ],
  OpenSMTPD: [
    // sent for unknown users, and if relaying is denied
    ['550 Invalid recipient: <ada@home.example>', 'refused'],
    ['452 4.5.0 Toolong: Too many messages sent', 'infrastructure'],
    ['530 5.5.1 Invalid command: Must issue an AUTH command first', 'configuration'],
    ['421 4.3.0 Temporary Error', 'infrastructure'],
  ],
  'Exchange and Microsoft 365': [
    [
      '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@home.example not found by SMTP address lookup',
      'bad_address',
    ],
    ['550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain', 'configuration'],
    ['550 5.7.1 Unable to relay', 'configuration'],
    ['550 5.7.60 SMTP; Client does not have permissions to send as this sender', 'configuration', 'dot'],
    ['550 5.7.64 TenantAttribution; Relay Access Denied', 'configuration'],
    ['530 5.7.57 SMTP; Client was not authenticated to send anonymous mail during MAIL FROM', 'configuration'],
    ['550 5.4.1 Recipient address rejected: Access denied', 'refused'],
    ['554 5.2.2 mailbox full; STOREDRV.Deliver; quota exceeded', 'mailbox_full'],
    ['432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded', 'throttled', 'dot'],
    [
      "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients",
      'configuration',
      'dot',
    ],
  ],
  Gmail: [
    [
      "550-5.1.1 The email account that you tried to reach does not exist. Please try\n550 5.1.1 double-checking the recipient's email address",
      'bad_address',
    ],
    ['550 5.4.5 Daily user sending limit exceeded.', 'configuration', 'dot'],
    ['550-5.7.1 Daily SMTP relay limit exceeded for customer.\n550 5.7.1 More', 'configuration', 'dot'],
    ['550-5.7.1 Invalid credentials for relay [192.0.2.7].\n550 5.7.1 The IP address', 'configuration'],
    [
      '550-5.7.26 Unauthenticated email from school.example is not accepted due to\n550 5.7.26 its DMARC policy',
      'configuration',
      'dot',
    ],
    ['550 5.2.1 The email account that you tried to reach is disabled.', 'refused'],
    ['552-5.2.2 The email account that you tried to reach is over quota.\n552 5.2.2 More', 'mailbox_full'],
    [
      '450-4.2.1 The user you are trying to contact is receiving mail at a rate that\n450 4.2.1 prevents additional messages',
      'transient',
    ],
    ['421-4.7.28 Our system has detected an unusual rate of unsolicited mail\n421 4.7.28 from your IP', 'throttled'],
    [
      '550-5.7.1 Our system has detected that this message is likely unsolicited mail.\n550 5.7.1 More',
      'refused',
      'dot',
    ],
  ],
  others: [
    // sendmail, qmail, Yahoo, Amazon SES
    ['550 5.7.1 <ada@home.example>... Relaying denied. Proper authentication required.', 'configuration'],
    ['550 5.3.0 <ada@home.example>... User unknown', 'bad_address'],
    ["553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", 'configuration'],
    ['550 sorry, no mailbox here by that name. (#5.1.1)', 'bad_address'],
    ["550 delivery error: dd This user doesn't have a yahoo.com account (ada@yahoo.com)", 'bad_address'],
    ['454 Throttling failure: Maximum sending rate exceeded.', 'throttled', 'dot'],
    ['554 Message rejected: Email address is not verified.', 'configuration', 'dot'],
    ['550 Requested action not taken: mailbox unavailable', 'refused'],
  ],
};

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

describe('the answer of an SMTP server means', () => {
  it.each(REPLIES)('%s: %s → %s', (phase, response, kind) => {
    expect(smtpOutcome(reply(phase, response)).kind).toBe(kind);
  });

  describe.each(Object.entries(REAL))('%s', (_server, replies) => {
    it.each(replies)('%s → %s', (response, kind, phase = 'envelope') => {
      const command = phase === 'envelope' ? 'RCPT TO' : phase === 'connect' ? 'CONN' : 'DATA';
      expect(smtpOutcome(reply(phase, response, command)).kind).toBe(kind);
    });
  });

  it.each(CHOSEN)('the same if it repeats the address %s', (address) => {
    const said = (text: string) => smtpOutcome(reply('envelope', Buffer.from(text).toString('latin1'))).kind;
    for (const echo of [`<${address}>`, address]) {
      expect(said(`450 4.3.0 ${echo}: try again later`)).toBe('transient');
      expect(said(`450 ${echo}: try again later`)).toBe('transient');
      expect(said(`550 5.7.1 policy: ${echo}`)).toBe('refused');
      expect(said(`550-policy\n550 ${echo}`)).toBe('refused');
    }
  });

  it('the same if it quotes the reply of another server', () => {
    const said = (text: string) => smtpOutcome(reply('envelope', text)).kind;
    const other = 'Recipient address rejected: unverified address: host mx.home.example said:';
    expect(said(`450 4.1.1 <ada@home.example>: ${other} 450 too many recipients`)).toBe('transient');
    expect(said(`450 <ada@home.example>: ${other} 450 too many recipients`)).toBe('transient');
    expect(said(`550 5.1.0 <ada@home.example>: ${other} 550 relay not permitted`)).toBe('refused');
  });

  it('refusing one recipient does not fail the server, refusing the sender does', () => {
    const relay = '550 relay not permitted';
    expect(smtpOutcome(reply('envelope', relay))).toEqual({ kind: 'configuration', detail: 'smtp 550', of: 'route' });
    expect(smtpOutcome(reply('envelope', relay, 'MAIL FROM'))).toEqual({ kind: 'configuration', detail: 'smtp 550' });
    expect(smtpOutcome(reply('auth', '535 5.7.8 no'))).toEqual({ kind: 'configuration', detail: 'smtp 535 5.7.8' });
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
    ['552 Message size exceeds maximum permitted', 'refused'],
  ])('a refused sender never suppresses the recipient: MAIL FROM %s → %s', (response, kind) => {
    expect(smtpOutcome(reply('envelope', response, 'MAIL FROM')).kind).toBe(kind);
  });

  it('a server without required STARTTLS is a configuration error', () => {
    expect(smtpOutcome(reply('connect', '502 5.5.1 not implemented', 'STARTTLS')).kind).toBe('configuration');
    expect(smtpOutcome(reply('connect', '454 4.3.0 TLS currently unavailable', 'STARTTLS')).kind).toBe(
      'infrastructure',
    );
  });

  it('records codes but never the text of the server', () => {
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
