import type { DeliveryStore, SuppressionStore } from '../ports.ts';

/** What a provider tells about a message after it had taken it. */
export type StatusCallback = {
  delivery_id: string;
  /** the claim under which the message was sent, as its callback address says */
  fence: number;
  provider_id: string;
  /** the provider's word, e.g. `delivered` */
  status: string;
  error_code: string | null;
};

const ARRIVED: readonly string[] = ['sent', 'delivered', 'read'];
const FAILED: readonly string[] = ['failed', 'undelivered', 'canceled'];
/** There is no such handset, or it takes no text messages: no later message would arrive either. */
const NO_SUCH_NUMBER: readonly string[] = ['30005', '30006'];

type Deps = {
  deliveries: Pick<DeliveryStore, 'recordProviderReport' | 'find'>;
  suppressions: Pick<SuppressionStore, 'add'>;
};

/**
 * Records a status callback. Callbacks come in any order, doubled and early, before we know under which id the provider
 * has the message: `delivered` is never taken back, and words that decide nothing (queued, sending) are passed over.
 */
export async function recordStatusCallback({ deliveries, suppressions }: Deps, news: StatusCallback): Promise<void> {
  const { delivery_id: id, fence, provider_id, status, error_code } = news;
  if (ARRIVED.includes(status)) {
    const detail = status === 'read' ? 'delivered' : status;
    await deliveries.recordProviderReport(id, { arrived: true, fence, provider_id, detail });
  }
  if (!FAILED.includes(status)) return;
  const detail = `twilio ${error_code ?? status}`;
  const isDead = error_code !== null && NO_SUCH_NUMBER.includes(error_code);
  const reason = isDead ? 'bad_address' : 'refused';
  const isNews = await deliveries.recordProviderReport(id, { arrived: false, fence, provider_id, detail, reason });
  if (!isDead || !isNews) return;
  const row = await deliveries.find(id);
  if (row?.address) await suppressions.add(row, row.channel, row.address, { kind: 'bounced', why: detail });
}
