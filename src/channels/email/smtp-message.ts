import { isAscii } from 'node:buffer';
import { needsSmtpUtf8 } from '../../people/contact.ts';
import type { SmtpFailure } from './smtp-outcome.ts';

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
export function commandsFor({ from, to, raw }: SmtpMessage, { eightBitMime, smtpUtf8, size }: SmtpAbilities): string[] {
  const utf8 = smtpUtf8 && needsSmtpUtf8(from + to) ? ' SMTPUTF8' : '';
  const body = eightBitMime && !isAscii(raw) ? ' BODY=8BITMIME' : '';
  const bytes = size !== null ? ` SIZE=${raw.length}` : '';
  return [`MAIL FROM:<${from}>${utf8}${body}${bytes}\r\n`, `RCPT TO:<${to}>\r\n`, 'DATA\r\n'];
}

/** The text with leading dots doubled (RFC 5321, 4.5.2) and a final line end. */
export function dotStuffed(raw: Buffer): Buffer {
  const isEnded = raw.at(-2) === 0x0d && raw.at(-1) === 0x0a;
  if (isEnded && raw[0] !== DOT && !raw.includes('\n.')) return raw;
  const doubled = raw.toString('latin1').replace(/(^|\n)\./g, '$1..');
  return Buffer.from(isEnded ? doubled : `${doubled}\r\n`, 'latin1');
}
