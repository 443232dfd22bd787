/**
 * Meanings that an SMTP reply expresses in its text and not in its codes: closed tables of phrases that servers are known
 * to use (Postfix, Exim, OpenSMTPD, sendmail, qmail, Exchange, Gmail, Amazon SES, Yahoo). Every phrase contains a blank,
 * so that no unquoted local part can match.
 */
export type SmtpWords = {
  /** this connection reached its limit of messages or errors: a new connection may continue */
  readonly connectionIsUsedUp: boolean;
  /** messages are arriving too fast */
  readonly throttled: boolean;
  /** the server does not relay for us, or requires a login */
  readonly relayDenied: boolean;
  /** our sender, host or account was refused, or our quota is used up */
  readonly senderRefused: boolean;
  readonly noSuchMailbox: boolean;
};

const CONNECTION_IS_USED_UP =
  /\btoo many (?:\w+ ){1,5}(?:in|on|for|over) (?:this |one |a |the |each )?(?:smtp )?(?:connection|session)\b|\bper (?:smtp )?(?:connection|session)\b|\btoo many messages sent\b|\btoo many (?:(?:bad|nonmail|unrecogni[sz]ed|unknown|invalid) commands|(?:\w+ ){0,3}errors)\b/i;

const THROTTLED =
  /\btoo (?:many|much) (?:\w+ ){0,2}(?:recipients|messages|mails?|e-?mails|connections|sessions|requests|smtp connections|auth commands)\b|\brate (?:limit|exceeded)|\bthrottling failure\b|\b(?:sending|message) rate\b|\bconcurrent connections limit\b|\bslow down\b|\bexceeded (?:your|the) (?:\w+ ){0,2}messaging limit/i;

const RELAY_DENIED =
  /\brelay(?:ing)? (?:access )?(?:is |was )?(?:temporarily )?(?:denied|not permitted|not allowed|prohibited|forbidden|refused)\b|\bunable to relay\b|\b(?:not (?:permitted|allowed|authori[sz]ed)|refus\w+) to relay\b|\b(?:do|does) not relay\b|\b(?:credentials|authenti\w+) for relay\b|\blist of allowed rcpthosts\b|\bauthentication (?:is )?(?:required|needed)\b|\bmust (?:be authenticated|authenticate|log ?in|issue an? (?:auth|starttls) command)\b|\bclient was not authenticated\b/i;

const SENDER_REFUSED =
  /\bsender (?:address )?(?:is )?(?:rejected|refused|denied|not allowed|verify failed|verification failed|unknown)\b|\bclient host (?:was )?rejected\b|\b(?:helo|ehlo) command rejected\b|\bsend as this sender\b|\bunauthenticated senders?\b|\b(?:e-?mail|from) address (?:is|does) not (?:verified|match)\b|\bsending (?:is |has been )?(?:paused|suspended|disabled|blocked)\b|\b(?:daily|hourly|monthly|sending|submission|relay|messaging|outbound) (?:\w+ ){0,4}(?:limit|quota)\b/i;

const NO_SUCH_MAILBOX =
  /\bno such (?:user|mailbox|recipient|address|account|person)\b|\b(?:user|mailbox|recipient|account|address) (?:is )?(?:unknown|not found|not known)\b|\b(?:user|mailbox|recipient|account) (?:\w+ ){0,8}?(?:does not|doesn['’]t) exist\b|\bunknown (?:user|recipient|mailbox|local[- ]part)\b|\bno mailbox here by that name\b|\b(?:does not|doesn['’]t) have an? \S{1,60} account\b/i;

/** Characters of a reply that are examined. */
const READ_UP_TO = 2_000;

/** @param response one reply with all of its lines */
export function wordsOfReply(response: string): SmtpWords {
  const own = ownWords(response);
  const connectionIsUsedUp = CONNECTION_IS_USED_UP.test(own);
  const senderRefused = SENDER_REFUSED.test(own);
  const relayDenied = RELAY_DENIED.test(own);
  return {
    connectionIsUsedUp,
    throttled: !connectionIsUsedUp && THROTTLED.test(own),
    relayDenied,
    senderRefused,
    // "Sender address rejected: User unknown" is about our sender.
    noSuchMailbox: !senderRefused && !relayDenied && !/\bsender\b/i.test(own) && NO_SUCH_MAILBOX.test(own),
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
export const enhancedCodeOf = (response: string): string =>
  /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? '';
