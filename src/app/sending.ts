import { Histogram } from 'prom-client';
import type { Texts } from '../channels/templates/catalogue.ts';
import { createdAtOf } from '../core/ids.ts';
import type { Priority } from '../core/priority.ts';
import { loadSecret } from '../mongo/people/secret-store.ts';
import type { TextStore } from '../notifications/content/message.ts';
import { cachedContents } from '../notifications/delivery/compose.ts';
import type { DeliverDeps } from '../notifications/delivery/deliver.ts';
import type { SendDeps } from '../notifications/delivery/evaluate.ts';
import { hasWaited } from '../notifications/delivery.ts';
import { ruleOf } from '../notifications/policy/trigger-table.ts';
import { signedLinks } from '../people/links.ts';
import { texts } from './adapters.ts';
import type { ChannelSection } from './config/config.ts';
import { counterIn } from './counter.ts';
import type { ProcessContext } from './process.ts';
import type { Stores } from './stores.ts';
import type { DeliveryReport } from './tracing/traced.ts';

/** What a process needs to compose messages and to record their results: its stores, texts, links and report. */
export async function openSending(context: ProcessContext<'links' | ChannelSection>, stores: Stores) {
  const { email, links, leaseMs } = context.config;
  const known = await texts();
  return {
    ...stores,
    textVersion: known.version,
    readyTexts: textsOf(known, stores.texts),
    contentOf: cachedContents(),
    links: signedLinks(await loadSecret(stores.database)),
    publicUrl: links.publicUrl,
    replyDomain: email?.replyDomain ?? null,
    leaseMs,
    random: Math.random,
    report: deliveryReport(context, stores),
  } satisfies SendDeps & Record<string, unknown>;
}

/** Loads the texts of other program versions, each once. */
export const textsOf =
  (texts: Texts, store: TextStore): DeliverDeps['readyTexts'] =>
  async (rows) => {
    const ids = texts.missing(
      rows.map(({ tenant_id, trigger, locale, template_version }) => ({
        tenant_id,
        trigger,
        locale,
        texts: template_version ?? '',
      })),
    );
    if (ids.length > 0) texts.learn(ids, await store.find(ids));
  };

const DURATION = 'schoolbell_fact_to_sent_seconds';

/** Counts, times and logs the result of a delivery. */
export function deliveryReport(
  { log, metrics }: Pick<ProcessContext, 'log' | 'metrics'>,
  { clock }: Pick<Stores, 'clock'>,
): DeliveryReport {
  const help = 'Ends of tries, by channel, trigger and what became of the delivery';
  const settled = counterIn(metrics, 'schoolbell_deliveries_settled_total', help, ['channel', 'trigger', 'to']);
  const durations =
    (metrics.getSingleMetric(DURATION) as Histogram | undefined) ??
    new Histogram({
      name: DURATION,
      help: 'From the fact to the acceptance by the provider, of messages without a planned time',
      labelNames: ['channel', 'priority'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600],
      registers: [metrics],
    });
  return (result, row, traceId) => {
    const { trigger, channel, attempts } = row;
    settled.inc({ channel, trigger, to: result.to });
    const isAtOnce = !ruleOf(trigger).isPlanned && !hasWaited(row);
    const recordedAt = result.to === 'sent' && isAtOnce ? createdAtOf(row.fact_id) : null;
    if (recordedAt) {
      const priority: Priority = row.urgent ? 'urgent' : 'bulk';
      const seconds = (clock.now().getTime() - recordedAt.getTime()) / 1000;
      durations.observe({ channel, priority }, Math.max(0, seconds));
    }
    const { to, id: deliveryId } = result;
    const why = 'reason' in result ? result.reason : 'detail' in result ? result.detail : undefined;
    const level = to === 'sent' ? 'debug' : to === 'quarantined' ? 'error' : 'info';
    log[level]({ deliveryId, channel, trigger, attempts, why, traceId }, `delivery.${to}`);
  };
}
