import { fileURLToPath } from 'node:url';
import { failover } from '../channels/failover.ts';
import type { SmsSender, TwilioSettings } from '../channels/sms/twilio-client.ts';
import type { Texts } from '../channels/templates/catalogue.ts';
import type { Clock } from '../core/clock.ts';
import { loadSecret } from '../mongo/people/secret-store.ts';
import type { ChannelAdapter, ProviderNotice } from '../notifications/channel-adapter.ts';
import { signedMessageIds } from '../notifications/providers/message-ids.ts';
import { CHANNELS, type Channel, descriptorOf, type QueuedChannel } from '../people/channels.ts';
import { pushServiceOf } from '../people/push-endpoint.ts';
import type { ChannelSection, Config } from './config/config.ts';
import type { ProcessContext } from './process.ts';
import { gaugeProviders, troubles, watchProviders } from './provider-monitor.ts';
import type { Stores } from './stores.ts';

type Settings = Config<'links' | ChannelSection>;
type Open = (
  settings: Settings,
  stores: Stores,
  notice: (notice: ProviderNotice) => void,
) => Promise<ChannelAdapter | null>;

/** Opens the adapter of a channel, which the process then owns. @returns null, and logs it, if the channel has no settings */
export async function openAdapter(
  context: ProcessContext<'links' | ChannelSection>,
  channel: QueuedChannel,
  stores: Stores,
): Promise<ChannelAdapter | null> {
  const { config, log, metrics, own } = context;
  const hosts = config.push?.allowedHosts ?? [];
  const labelOf = (provider: string) =>
    descriptorOf(channel).reaches === 'subscription' ? pushServiceOf(provider, hosts) : provider;
  const adapter = await ADAPTERS[channel](config, stores, watchProviders(context, channel, labelOf));
  if (!adapter) {
    log.warn({ channel }, 'channel.off');
    return null;
  }
  gaugeProviders(metrics, channel, adapter, labelOf);
  own({ name: `channel ${channel}`, close: adapter.close, details: () => troubles(adapter), closeWithinMs: 1_000 });
  return adapter;
}

/**
 * Creates the adapter of each channel; null if the channel has no settings. Loads the library of a provider on first use: a
 * worker has one channel, and the libraries of the others would take half of its memory and start time.
 */
const ADAPTERS: Record<QueuedChannel, Open> = {
  async email({ email, sendTimeoutMs }, { clock, database }, notice) {
    if (!email) return null;
    const { emailChannel } = await import('../channels/email/email.ts');
    const { smtpPool } = await import('../channels/email/smtp-pool.ts');
    const servers = Object.fromEntries(
      Object.entries(email.servers).map(([name, address]) => [name, smtpPool({ address, sendTimeoutMs })]),
    );
    const signer = email.dkim ? { sign: (await import('../channels/email/dkim.ts')).dkimSigner(email.dkim) } : {};
    return emailChannel({
      texts: await texts(),
      servers,
      sendTimeoutMs,
      notice,
      from: email.from,
      messageIds: signedMessageIds(await loadSecret(database)),
      clock,
      ...signer,
    });
  },
  async sms({ sms, links, sendTimeoutMs }, { clock, smsBudget }, notice) {
    if (!sms) return null;
    const { smsChannel } = await import('../channels/sms/sms.ts');
    const twilio = await openTwilio(sms, sendTimeoutMs, clock);
    const senders = namedSenders('twilio', sms.senders);
    const urgentSenders = namedSenders('twilio-urgent', sms.urgentSenders);
    const names = Object.keys({ ...senders, ...urgentSenders });
    return smsChannel({
      texts: await texts(),
      twilio,
      senders,
      urgentSenders,
      failover: failover({ names, sendTimeoutMs, notice }),
      publicUrl: links.publicUrl,
      ...(sms.perDay === null ? {} : { budget: { ...smsBudget, perDay: sms.perDay } }),
    });
  },
  async whatsapp({ whatsapp, links, sendTimeoutMs }, { clock }, notice) {
    if (!whatsapp) return null;
    const { whatsAppChannel } = await import('../channels/whatsapp/whatsapp.ts');
    const { from, templates } = whatsapp;
    const twilio = await openTwilio(whatsapp, sendTimeoutMs, clock);
    const { publicUrl } = links;
    return whatsAppChannel({ twilio, from, templates, failover: failover({ sendTimeoutMs, notice }), publicUrl });
  },
  async push({ push, sendTimeoutMs }, { clock, pushSubscriptions: subscriptions }, notice) {
    if (!push) return null;
    const { pushChannel } = await import('../channels/push/push.ts');
    const { allowedHosts } = push;
    return pushChannel({
      texts: await texts(),
      subscriptions,
      vapid: push,
      allowedHosts,
      failover: failover({ sendTimeoutMs, notice }),
      sendTimeoutMs,
      clock,
    });
  },
};

async function openTwilio(settings: TwilioSettings, sendTimeoutMs: number, clock: Clock) {
  const { twilioClient } = await import('../channels/sms/twilio-client.ts');
  return twilioClient(settings, sendTimeoutMs, clock);
}

/** The senders by their names in metrics and deliveries, which are not their numbers. */
const namedSenders = (prefix: string, senders: readonly SmsSender[]): Record<string, SmsSender> =>
  Object.fromEntries(senders.map((sender, at) => [senders.length === 1 ? prefix : `${prefix}-${at + 1}`, sender]));

let loaded: Texts | null = null;

/** The texts of this process, loaded once. */
export async function texts(): Promise<Texts> {
  const { loadTexts } = await import('../channels/templates/catalogue.ts');
  loaded ??= loadTexts(builtFile('texts.json'));
  return loaded;
}

/** A file or folder of the build: beside the code, both in a checkout and in an image. */
export function builtFile(name: string): string {
  const here = fileURLToPath(import.meta.url);
  const dist = here.endsWith('.ts') ? new URL('../../dist/', import.meta.url) : new URL('../../', import.meta.url);
  return fileURLToPath(new URL(name, dist));
}

/** Channels that have settings; the inbox needs none. Logs once which channels are off. */
export function openChannels(context: ProcessContext<ChannelSection>): ReadonlySet<Channel> {
  const sections: Partial<Record<Channel, unknown>> = context.config;
  const off = CHANNELS.filter((channel) => sections[channel] === null);
  for (const channel of off) context.log.warn({ channel }, 'channel.off');
  return new Set(CHANNELS.filter((channel) => !off.includes(channel)));
}
