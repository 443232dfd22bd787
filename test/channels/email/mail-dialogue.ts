import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { vi } from 'vitest';
import { type SmtpAbilities, type SmtpResult, smtpMail } from '../../../src/channels/email/smtp-mail.ts';
import { smtpOutcome } from '../../../src/channels/email/smtp-outcome.ts';

export const PIPELINING: SmtpAbilities = { pipelining: true, eightBitMime: true, smtpUtf8: true, size: null };
export const STEPWISE: SmtpAbilities = { ...PIPELINING, pipelining: false };
export const message = {
  from: 'school@school.example',
  to: 'ada@home.example',
  raw: Buffer.from('Subject: x\r\n\r\nHello\r\n'),
};

/** A fake connection: records what is written and plays the server's replies. */
export function connection(abilities = PIPELINING) {
  const written: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    cork() {},
    uncork() {},
    write(data: string | Buffer, done?: () => void) {
      written.push(data.toString());
      done?.();
      return true;
    },
  });
  const end = vi.fn();
  const mail = smtpMail(socket as unknown as Socket, abilities, end);
  const results: SmtpResult[] = [];
  return {
    mail,
    end,
    results,
    say: (text: string) => socket.emit('data', Buffer.from(text)),
    send: (more: Partial<typeof message> = {}) => mail.send({ ...message, ...more }, (result) => results.push(result)),
    written: () => written.splice(0).join(''),
  };
}

export const ENVELOPE = 'MAIL FROM:<school@school.example>\r\nRCPT TO:<ada@home.example>\r\nDATA\r\n';
export const TEXT = 'Subject: x\r\n\r\nHello\r\n.\r\n';
export const GOOD = '250 ok\r\n250 ok\r\n354 go\r\n';

export const outcomes = (results: readonly SmtpResult[]) =>
  results.map((result) => (result.accepted ? 'accepted' : smtpOutcome(result.failure).kind));
