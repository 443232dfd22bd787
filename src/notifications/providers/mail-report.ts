import type { Delivery, Reason } from '../delivery.ts';
import { NO_SUCH_MAILBOX } from './suppression.ts';

/** What a Message-ID is made of: its delivery's id, and the moment that says which secret signs it. */
export type Signed = Pick<Delivery, 'id' | 'created_at'>;

/** Signs the Message-IDs of e-mails, so that only those who have a message can report it as returned. */
export type MessageIds = {
  /** @returns the part of the Message-ID before the @: the same for every copy of a message, also after a rotation */
  of(message: Signed): Promise<string>;
  /** Whether this is the signature in the Message-ID of that message. */
  isSignature(message: Signed, signature: string): Promise<boolean>;
};

/** What came back about an e-mail after a server had taken it; `about`: the message, where the report names one of ours. */
export type MailReport = { about: { delivery_id: string; signature: string } | null } & (
  | { kind: 'status'; action: string; code: string | null }
  /** `abuse`, `not-spam` … (RFC 5965, RFC 6430) */
  | { kind: 'feedback'; type: string }
);

/** The e-mail did not arrive, and why; `dead`: no later one would. */
export function failureOf(code: string | null): { reason: Reason; dead: boolean } {
  if (code === null) return { reason: 'refused', dead: false };
  if (NO_SUCH_MAILBOX.has(code)) return { reason: 'bad_address', dead: true };
  if (code === '5.2.2' || code === '4.2.2') return { reason: 'mailbox_full', dead: false };
  // A server tried for days and gave up.
  if (code.startsWith('4.')) return { reason: 'tried_out', dead: false };
  return { reason: 'refused', dead: false };
}
