import type { Reason } from './delivery.ts';
import { NO_SUCH_MAILBOX } from './suppression.ts';

/** What came back about an e-mail after a server had taken it. */
export type MailReport = { delivery_id: string | null } & (
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
