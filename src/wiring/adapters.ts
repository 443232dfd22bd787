import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import type { ChannelAdapter } from '../notifications/ports.ts';
import type { Channel } from '../notifications/trigger.ts';
import type { Stores } from './stores.ts';

type Settings = Config<'links' | 'email' | 'sms' | 'push'>;

/**
 * The adapter of each channel; null where it has no settings. Each loads its provider's library only when it is asked
 * for: a worker has one channel, and the libraries of the others would cost it half its memory and start.
 */
export const ADAPTERS: Record<Channel, (settings: Settings, stores: Stores) => Promise<ChannelAdapter | null>> = {
  async email({ email, sendTimeoutMs }, { clock }) {
    if (!email) return null;
    const { emailChannel } = await import('../channels/email.ts');
    const { parseSmtpUrl } = await import('../channels/smtp-address.ts');
    const { smtpPool } = await import('../channels/smtp-pool.ts');
    const { senderAddress } = await import('../channels/texts/mail-headers.ts');
    const pool = smtpPool({ address: parseSmtpUrl(email.smtpUrl), sendTimeoutMs });
    const messageDomain = senderAddress(email.from).split('@')[1] ?? 'localhost';
    return emailChannel({ texts: await texts(), pool, from: email.from, messageDomain, clock });
  },
  async sms({ sms, links, sendTimeoutMs }, { clock }) {
    if (!sms) return null;
    const { smsChannel } = await import('../channels/sms.ts');
    const { twilioClient } = await import('../channels/twilio-client.ts');
    const { apiUrl, ...account } = sms;
    const twilio = twilioClient({ ...account, ...(apiUrl ? { apiUrl } : {}) }, sendTimeoutMs, clock);
    return smsChannel({ texts: await texts(), twilio, publicUrl: links.publicUrl });
  },
  async push({ push, sendTimeoutMs }, { clock, pushSubscriptions: subscriptions }) {
    if (!push) return null;
    const { pushChannel } = await import('../channels/push.ts');
    const { allowedHosts } = push;
    return pushChannel({ texts: await texts(), subscriptions, vapid: push, allowedHosts, sendTimeoutMs, clock });
  },
  async in_app({ sendTimeoutMs }, { inbox, clock }) {
    const { inAppChannel } = await import('../channels/in-app.ts');
    return inAppChannel({ texts: await texts(), inbox, clock, sendTimeoutMs });
  },
};

async function texts() {
  const { loadTexts } = await import('../channels/texts/catalogue.ts');
  return loadTexts(textsFile());
}

/** Where the build puts the compiled templates: beside the code, in a checkout as well as in an image. */
function textsFile(): string {
  const here = fileURLToPath(import.meta.url);
  const dist = here.endsWith('.ts') ? new URL('../../dist/', import.meta.url) : new URL('../../', import.meta.url);
  return fileURLToPath(new URL('texts.json', dist));
}
