import { COMPLAINT, type Reason } from '../delivery.ts';
import type { NotificationStores } from '../ports.ts';
import type { MessageIds } from './message-ids.ts';
import { NO_SUCH_MAILBOX } from './suppression.ts';

/** A provider's report on a message it had accepted. */
export type StatusCallback = {
  delivery_id: string;
  /** the fencing token of the attempt, from the callback address */
  fence: number;
  provider_id: string;
  /** the provider's status, e.g. `delivered` */
  status: string;
  error_code: string | null;
  /** the number and the messaging service that it came from, as far as the provider names them */
  senders: readonly string[];
};

const ARRIVED: readonly string[] = ['sent', 'delivered', 'read'];
const FAILED: readonly string[] = ['failed', 'undelivered', 'canceled'];
/**
 * Twilio's codes for messages that can't reach their recipient: no mobile number, a STOP, no account on WhatsApp, a template that
 * WhatsApp has not approved. A messaging service accepts every message and reports them later.
 */
export const TWILIO_FAILURES = {
  21211: 'bad_address',
  21612: 'bad_address',
  21614: 'bad_address',
  21610: 'opted_out',
  63003: 'no_account',
  63024: 'no_account',
  63016: 'no_template',
} as const satisfies Record<number, Reason>;
const BY_CODE: Readonly<Record<string, Reason>> = {
  ...TWILIO_FAILURES,
  30003: 'unreachable',
  // An unknown number, or no mobile phone.
  30005: 'bad_address',
  30006: 'bad_address',
};

/**
 * Records a status callback. Callbacks may repeat, arrive in any order, and before the provider's id of the message is
 * known: `delivered` is final, and intermediate statuses (queued, sending) are ignored.
 */
export async function recordStatusCallback(
  { deliveries, suppressions }: NotificationStores,
  callback: StatusCallback,
): Promise<void> {
  const { delivery_id: id, fence, provider_id, status, error_code, senders } = callback;
  if (ARRIVED.includes(status)) {
    const detail = status === 'read' ? 'delivered' : status;
    await deliveries.recordProviderReport(id, { arrived: true, fence, provider_id, detail });
  }
  if (!FAILED.includes(status)) return;
  const detail = `twilio ${error_code ?? status}`;
  const reason = BY_CODE[error_code ?? ''] ?? 'refused';
  const isRecorded = await deliveries.recordProviderReport(id, { arrived: false, fence, provider_id, detail, reason });
  if (!isRecorded || (reason !== 'bad_address' && reason !== 'opted_out')) return;
  const row = await deliveries.find(id);
  if (!row?.address) return;
  if (reason === 'bad_address') await suppressions.add(row, row.channel, row.address, { kind: 'bounced', why: detail });
  else for (const sender of senders) await suppressions.recordStop(sender, row.address);
}

/**
 * Records a report whose signature proves that its sender has the message. Marks the delivery as failed or complained about,
 * suppresses an address that does not exist for a while, and limits an address that complained to urgent messages. Each
 * message counts once: a second report changes nothing, even after staff lifted the suppression. Reports of a delay or
 * without a valid signature change nothing.
 * @returns whether the report is about a message of ours
 */
export async function recordMailReport(
  { deliveries, suppressions, messageIds }: NotificationStores & { messageIds: Pick<MessageIds, 'isSignature'> },
  report: MailReport,
): Promise<boolean> {
  const { about } = report;
  const row = about && (await deliveries.find(about.delivery_id));
  if (row?.channel !== 'email' || row.address === null) return false;
  if (!messageIds.isSignature(row.id, about?.signature ?? '')) return false;
  const { address } = row;
  if (report.kind === 'feedback') {
    if (report.type === 'abuse' && (await deliveries.recordComplaint(row.id)))
      await suppressions.add(row, 'email', address, { kind: 'complained', why: COMPLAINT });
    if (report.type === 'not-spam') await suppressions.removeComplaint(row.tenant_id, 'email', address);
    return true;
  }
  if (report.action !== 'failed') return true;
  const reason = failureOf(report.code);
  const detail = `bounce ${report.code ?? 'without a code'}`;
  const isFirst = await deliveries.failByReport(row.id, { reason, detail });
  if (isFirst && reason === 'bad_address')
    await suppressions.add(row, 'email', address, { kind: 'bounced', why: detail });
  return true;
}

/** A report on an e-mail after a server had accepted it; `about`: the message, if the report names one of ours. */
export type MailReport = { about: { delivery_id: string; signature: string } | null } & (
  | { kind: 'status'; action: string; code: string | null }
  /** `abuse`, `not-spam` … (RFC 5965, RFC 6430) */
  | { kind: 'feedback'; type: string }
);

/** Why an e-mail did not arrive. */
export function failureOf(code: string | null): Reason {
  if (code === null) return 'refused';
  if (NO_SUCH_MAILBOX.has(code)) return 'bad_address';
  if (code === '5.2.2' || code === '4.2.2') return 'mailbox_full';
  // A server retried for days and gave up.
  return code.startsWith('4.') ? 'tried_out' : 'refused';
}
