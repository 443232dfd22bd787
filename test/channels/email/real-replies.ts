import type { SmtpPhase } from '../../../src/channels/email/smtp-outcome.ts';
import type { OutcomeKind } from '../../../src/notifications/outcome.ts';

/** Replies of real servers, to RCPT TO unless marked otherwise. */
export const REAL_REPLIES: Record<string, [string, OutcomeKind, SmtpPhase?][]> = {
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
