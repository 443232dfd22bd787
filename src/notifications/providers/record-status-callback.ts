import type { Reason } from '../delivery.ts';
import type { DeliveryStore, SuppressionStore } from '../ports.ts';

/** A provider's report on a message it had accepted. */
export type StatusCallback = {
  delivery_id: string;
  /** the fencing token of the attempt, from the callback address */
  fence: number;
  provider_id: string;
  /** the provider's status, e.g. `delivered` */
  status: string;
  error_code: string | null;
};

const ARRIVED: readonly string[] = ['sent', 'delivered', 'read'];
const FAILED: readonly string[] = ['failed', 'undelivered', 'canceled'];
/** Unknown number, or no mobile phone: later messages would not arrive either. */
const NO_SUCH_NUMBER: readonly string[] = ['30005', '30006'];

/** Twilio's codes for messages that WhatsApp can't deliver: an unknown recipient, or a template that it has not approved. */
export const WHATSAPP_FAILURES = {
  63003: 'no_account',
  63024: 'no_account',
  63016: 'no_template',
} as const satisfies Record<number, Reason>;
const BY_CODE: Readonly<Record<string, Reason>> = WHATSAPP_FAILURES;

type Deps = {
  deliveries: Pick<DeliveryStore, 'recordProviderReport' | 'find'>;
  suppressions: Pick<SuppressionStore, 'add'>;
};

/**
 * Records a status callback. Callbacks may repeat, arrive in any order, and before the provider's id of the message is
 * known: `delivered` is final, and intermediate statuses (queued, sending) are ignored.
 */
export async function recordStatusCallback(
  { deliveries, suppressions }: Deps,
  callback: StatusCallback,
): Promise<void> {
  const { delivery_id: id, fence, provider_id, status, error_code } = callback;
  if (ARRIVED.includes(status)) {
    const detail = status === 'read' ? 'delivered' : status;
    await deliveries.recordProviderReport(id, { arrived: true, fence, provider_id, detail });
  }
  if (!FAILED.includes(status)) return;
  const detail = `twilio ${error_code ?? status}`;
  const isDead = error_code !== null && NO_SUCH_NUMBER.includes(error_code);
  const reason = isDead ? 'bad_address' : (BY_CODE[error_code ?? ''] ?? 'refused');
  const isRecorded = await deliveries.recordProviderReport(id, { arrived: false, fence, provider_id, detail, reason });
  if (!isDead || !isRecorded) return;
  const row = await deliveries.find(id);
  if (row?.address) await suppressions.add(row, row.channel, row.address, { kind: 'bounced', why: detail });
}
