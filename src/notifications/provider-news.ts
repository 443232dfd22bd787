import type { DeliveryStore } from './ports.ts';

/** What a provider tells about a message after it had taken it. */
export type ProviderNews = {
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

/**
 * Records a status callback. Callbacks come in any order, doubled and early: `delivered` is never taken back, and words
 * that decide nothing (queued, sending) are passed over.
 */
export async function recordProviderNews(deps: { deliveries: DeliveryStore }, news: ProviderNews): Promise<void> {
  const { delivery_id: id, fence, provider_id, status, error_code } = news;
  if (ARRIVED.includes(status)) {
    await deps.deliveries.settleByProvider(id, { arrived: true, fence, provider_id, detail: status });
  } else if (FAILED.includes(status)) {
    const detail = `twilio ${error_code ?? status}`;
    await deps.deliveries.settleByProvider(id, { arrived: false, fence, provider_id, detail });
  }
}
