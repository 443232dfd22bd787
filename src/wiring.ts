import { fileURLToPath } from 'node:url';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { emailChannel } from './channels/email.ts';
import { inAppChannel } from './channels/in-app.ts';
import { pushChannel } from './channels/push.ts';
import { smsChannel } from './channels/sms.ts';
import { parseSmtpUrl } from './channels/smtp-address.ts';
import { smtpPool } from './channels/smtp-pool.ts';
import { loadTexts } from './channels/texts/catalogue.ts';
import { senderAddress } from './channels/texts/mail-headers.ts';
import { twilioClient } from './channels/twilio-client.ts';
import { twilioSignatureIsValid } from './channels/twilio-signature.ts';
import type { Config, ConfigNeed } from './config.ts';
import type { EventDeps } from './events/ports.ts';
import { tokenVerifier } from './http/authenticate.ts';
import type { HttpDeps, HttpOptions } from './http/deps.ts';
import type { DeliverDeps } from './notifications/deliver.ts';
import { keptContents } from './notifications/kept-contents.ts';
import type { ChannelAdapter } from './notifications/ports.ts';
import { recordProviderNews } from './notifications/provider-news.ts';
import { CHANNELS, type Channel } from './notifications/trigger.ts';
import { signedLinks } from './people/links.ts';
import { BootRefused, type ProcessContext } from './process.ts';
import type { QueueSettings } from './queues/connection.ts';
import { sharedPermits, unlimited } from './queues/permits.ts';
import { publisher } from './queues/publisher.ts';
import type { RegistrationDeps } from './registrations/ports.ts';
import { planReminders } from './reminders/plan-reminders.ts';
import { contactStore } from './stores/contact-store.ts';
import { type Database, openDatabase } from './stores/database.ts';
import { deliveryStore } from './stores/delivery-store.ts';
import { eventReader } from './stores/event-reader.ts';
import { eventStore } from './stores/event-store.ts';
import { factStore } from './stores/fact-store.ts';
import { feedStore } from './stores/feed-store.ts';
import { inboxStore } from './stores/inbox-store.ts';
import { preferenceStore } from './stores/preference-store.ts';
import { pushSubscriptionStore } from './stores/push-subscription-store.ts';
import { registrationStore } from './stores/registration-store.ts';
import { reminderStore } from './stores/reminder-store.ts';
import { replyStore } from './stores/reply-store.ts';
import { schoolStore } from './stores/school-store.ts';
import { linkSecret } from './stores/secret-store.ts';
import { suppressionStore } from './stores/suppression-store.ts';

type Context<N extends ConfigNeed> = ProcessContext<N>;

const opened = new WeakMap<object, Promise<Stores>>();

/** The ports over MongoDB, checked at start (delivery.md, "Boot"); one set for a process, however many ask. */
export function openStores(context: Context<'mongo'>): Promise<Stores> {
  const known = opened.get(context);
  if (known) return known;
  const stores = connectStores(context);
  opened.set(context, stores);
  return stores;
}

async function connectStores(context: Context<'mongo'>) {
  const database = await openDatabase(context.config.mongo.uri);
  context.own({ name: 'mongodb', ready: database.ping, close: database.close });
  const faults = await database.faults();
  if (faults.length > 0) throw new BootRefused(faults.join('; '));
  return storesOn(database, context);
}

export type Stores = ReturnType<typeof storesOn>;

function storesOn(database: Database, context: Pick<Context<'mongo'>, 'own'>) {
  const facts = factStore(database);
  context.own({ name: 'facts', close: facts.close });
  const reminders = reminderStore(database);
  const { clock, transact } = database;
  return {
    database,
    clock,
    transact,
    facts,
    reminders,
    keepInStep: planReminders({ clock, reminders }),
    events: eventStore(database),
    eventReader: eventReader(database),
    feeds: feedStore(database),
    schools: schoolStore(database),
    contacts: contactStore(database),
    preferences: preferenceStore(database),
    pushSubscriptions: pushSubscriptionStore(database),
    registrations: registrationStore(database),
    deliveries: deliveryStore(database),
    inbox: inboxStore(database),
    suppressions: suppressionStore(database),
    replies: replyStore(database),
  } satisfies EventDeps & RegistrationDeps & Record<string, unknown>;
}

/** What the HTTP side is built from. */
export async function openHttp(
  context: Context<'http' | 'mongo' | 'sms' | 'push'>,
): Promise<{ deps: HttpDeps; options: HttpOptions }> {
  const { config, readiness } = context;
  const stores = await openStores(context);
  const { publicUrl, jwt } = config.http;
  const { sms, push } = config;
  return {
    deps: {
      ...stores,
      links: signedLinks(await linkSecret(stores.database)),
      twilioSignatureIsValid: async (signature, url, params) =>
        sms !== null && twilioSignatureIsValid(sms.authToken, signature, url, params),
      providerCallback: (news) => recordProviderNews(stores, news),
      ready: async () => (await readiness()).parts,
    },
    options: {
      publicUrl,
      verifyToken: tokenVerifier({ ...jwt.key, issuer: jwt.issuer, audience: jwt.audience }),
      ...(push ? { pushAllowedHosts: push.allowedHosts } : {}),
    },
  };
}

/** Redis as the place of wake-ups, checked at start. */
export async function openQueues(context: Context<'redis'>) {
  const settings = queueSettings(context.config);
  const queues = publisher(settings);
  context.own({ name: 'queues', ready: queues.ping, close: queues.close });
  const faults = await queues.faults();
  if (faults.length > 0) throw new BootRefused(faults.join('; '));
  return { settings, factQueue: queues.factQueue, deliveryQueue: queues.deliveryQueue };
}

const queueSettings = ({ redis }: Pick<Config<'redis'>, 'redis'>): QueueSettings => ({
  url: redis.url,
  prefix: 'schoolbell',
});

type ChannelConfig = Pick<Config<'email' | 'sms' | 'push'>, 'email' | 'sms' | 'push'>;

/** Channels that have settings; the inbox needs none. Says once which are off. */
export function openChannels(
  context: Pick<Context<'email' | 'sms' | 'push'>, 'log'> & { config: ChannelConfig },
): ReadonlySet<Channel> {
  const { email, sms, push } = context.config;
  const off = CHANNELS.filter((channel) => ({ email, sms, push, in_app: true })[channel] === null);
  for (const channel of off) context.log.warn({ channel }, 'channel.off');
  return new Set(CHANNELS.filter((channel) => !off.includes(channel)));
}

/** Everything one channel's worker needs; null where the channel has no settings. */
export async function openChannel(
  context: Context<'mongo' | 'redis' | 'links' | 'email' | 'sms' | 'push'>,
  channel: Channel,
  stores: Stores,
): Promise<Omit<DeliverDeps, 'isStopping'> | null> {
  const adapter = adapterOf(context, channel, stores);
  if (!adapter) return null;
  const { config, log, metrics } = context;
  context.own({ name: `channel ${channel}`, close: adapter.close, closeWithinMs: 5_000 });
  const perSecond = config.rate[channel];
  const permits = perSecond === null ? unlimited : sharedPermits(queueSettings(config), channel, perSecond);
  context.own({ name: 'permits', close: permits.close });
  const { settled, age } = deliveryMetrics(metrics);
  return {
    ...stores,
    adapter,
    links: signedLinks(await linkSecret(stores.database)),
    leaseMs: config.leaseMs,
    publicUrl: config.links.publicUrl,
    contentOf: keptContents(),
    organizerAddress: config.email ? senderAddress(config.email.from) : 'no-reply@invalid',
    takePermits: permits.take,
    random: Math.random,
    oneAtATime: inTurn(),
    report(settlement, { trigger, created_at, attempts }) {
      settled.inc({ channel, trigger, to: settlement.to });
      if (settlement.to === 'sent')
        age.observe({ channel }, (stores.clock.now().getTime() - created_at.getTime()) / 1000);
      const { to, id: deliveryId } = settlement;
      const why = 'reason' in settlement ? settlement.reason : 'detail' in settlement ? settlement.detail : undefined;
      const level = to === 'sent' ? 'debug' : to === 'quarantined' ? 'error' : 'info';
      log[level]({ deliveryId, channel, trigger, attempts, why }, `delivery.${to}`);
    },
  };
}

function deliveryMetrics(metrics: Registry) {
  const name = 'schoolbell_deliveries_settled_total';
  const settled =
    (metrics.getSingleMetric(name) as Counter | undefined) ??
    new Counter({
      name,
      help: 'Ends of tries, by channel, trigger and what became of the delivery',
      labelNames: ['channel', 'trigger', 'to'],
      registers: [metrics],
    });
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

function adapterOf(
  { config }: Context<'links' | 'email' | 'sms' | 'push'>,
  channel: Channel,
  { inbox, pushSubscriptions, clock }: Stores,
): ChannelAdapter | null {
  const texts = loadTexts(textsFile());
  const { sendTimeoutMs, links } = config;
  const { email, sms, push } = config;
  switch (channel) {
    case 'email': {
      if (!email) return null;
      const pool = smtpPool({ address: parseSmtpUrl(email.smtpUrl), sendTimeoutMs });
      const messageDomain = senderAddress(email.from).split('@')[1] ?? 'localhost';
      return emailChannel({ texts, pool, from: email.from, messageDomain, clock });
    }
    case 'sms': {
      if (!sms) return null;
      const { apiUrl, ...account } = sms;
      const twilio = twilioClient({ ...account, ...(apiUrl ? { apiUrl } : {}) }, sendTimeoutMs, clock);
      return smsChannel({ texts, twilio, publicUrl: links.publicUrl });
    }
    case 'push':
      return push
        ? pushChannel({
            texts,
            subscriptions: pushSubscriptions,
            vapid: push,
            allowedHosts: push.allowedHosts,
            sendTimeoutMs,
            clock,
          })
        : null;
    case 'in_app':
      return inAppChannel({ texts, inbox, clock, sendTimeoutMs });
  }
}

/** Where the build puts the compiled templates: beside the code, in a checkout as well as in an image. */
export function textsFile(): string {
  const here = fileURLToPath(import.meta.url);
  const root = here.endsWith('.ts') ? new URL('../dist/', import.meta.url) : new URL('../', import.meta.url);
  return fileURLToPath(new URL('texts.json', root));
}

/** Runs what it is given one after another. */
function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => {});
    return turn;
  };
}

/** A queue's depth as a gauge, asked for when somebody reads the metrics. */
export function gaugeDepths(
  context: Pick<Context<'redis'>, 'metrics'>,
  depth: (channel: Channel) => Promise<{ urgent: number; bulk: number }>,
) {
  new Gauge({
    name: 'schoolbell_queue_groups',
    help: 'Groups of deliveries on a channel’s queue, by lane',
    labelNames: ['channel', 'lane'],
    registers: [context.metrics],
    async collect() {
      for (const channel of CHANNELS) {
        const lanes = await depth(channel).catch(() => null);
        if (!lanes) continue;
        this.set({ channel, lane: 'urgent' }, lanes.urgent);
        this.set({ channel, lane: 'bulk' }, lanes.bulk);
      }
    },
  });
}
