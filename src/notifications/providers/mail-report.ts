import type { Delivery, Reason } from '../delivery.ts';
import { NO_SUCH_MAILBOX } from './suppression.ts';

/** The parts of a Message-ID: the delivery's id, and the time that selects the signing secret. */
export type Signed = Pick<Delivery, 'id' | 'created_at'>;

/** Signs the Message-IDs of e-mails, so that only recipients of a message can report it as returned. */
export type MessageIds = {
  /** @returns the part of the Message-ID before the @, the same for every copy even after a rotation of secrets */
  of(message: Signed): Promise<string>;
  /** Whether the signature belongs to this message. */
  isSignature(message: Signed, signature: string): Promise<boolean>;
};

/** A report on an e-mail after a server had accepted it; `about`: the message, if the report names one of ours. */
export type MailReport = { about: { delivery_id: string; signature: string } | null } & (
  | { kind: 'status'; action: string; code: string | null }
  /** `abuse`, `not-spam` … (RFC 5965, RFC 6430) */
  | { kind: 'feedback'; type: string }
);

/** Why an e-mail did not arrive; `dead`: later ones would not arrive either. */
export function failureOf(code: string | null): { reason: Reason; dead: boolean } {
  if (code === null) return { reason: 'refused', dead: false };
  if (NO_SUCH_MAILBOX.has(code)) return { reason: 'bad_address', dead: true };
  if (code === '5.2.2' || code === '4.2.2') return { reason: 'mailbox_full', dead: false };
  // A server retried for days and gave up.
  if (code.startsWith('4.')) return { reason: 'tried_out', dead: false };
  return { reason: 'refused', dead: false };
}
