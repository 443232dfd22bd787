import { Histogram, type Registry } from 'prom-client';
import type { DeliverDeps } from '../notifications/delivery/deps.ts';
import type { ProcessContext } from './process.ts';
import { counterIn } from './provider-watch.ts';
import type { Stores } from './stores.ts';

/** Counts, times and logs the result of a delivery. */
export function deliveryReport(
  { log, metrics }: Pick<ProcessContext<never>, 'log' | 'metrics'>,
  { clock }: Pick<Stores, 'clock'>,
): DeliverDeps['report'] {
  const { settled, age } = deliveryMetrics(metrics);
  return (result, { trigger, channel, created_at, attempts }) => {
    settled.inc({ channel, trigger, to: result.to });
    if (result.to === 'sent') age.observe({ channel }, (clock.now().getTime() - created_at.getTime()) / 1000);
    const { to, id: deliveryId } = result;
    const why = 'reason' in result ? result.reason : 'detail' in result ? result.detail : undefined;
    const level = to === 'sent' ? 'debug' : to === 'quarantined' ? 'error' : 'info';
    log[level]({ deliveryId, channel, trigger, attempts, why }, `delivery.${to}`);
  };
}

function deliveryMetrics(metrics: Registry) {
  const help = 'Ends of tries, by channel, trigger and what became of the delivery';
  const settled = counterIn(metrics, 'schoolbell_deliveries_settled_total', help, ['channel', 'trigger', 'to']);
  const age =
    (metrics.getSingleMetric('schoolbell_delivery_seconds') as Histogram | undefined) ??
    new Histogram({
      name: 'schoolbell_delivery_seconds',
      help: 'From the delivery row to the provider’s acceptance',
      labelNames: ['channel'],
      buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600],
      registers: [metrics],
    });
  return { settled, age };
}
