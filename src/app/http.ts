import { readMailReport } from '../channels/email/mail-report.ts';
import { signedMessageIds } from '../channels/email/message-id.ts';
import { twilioSignatureIsValid } from '../channels/sms/twilio-signature.ts';
import { tokenVerifier } from '../http/auth/authenticate.ts';
import type { HttpDeps, HttpOptions } from '../http/deps.ts';
import { isUnavailable } from '../mongo/mongo-errors.ts';
import { loadLinkSecret, loadMessageSecrets } from '../mongo/people/secret-store.ts';
import { recordMailReport } from '../notifications/providers/record-mail-report.ts';
import { recordStatusCallback } from '../notifications/providers/record-status-callback.ts';
import { recordReply } from '../notifications/providers/sms-reply.ts';
import { signedLinks } from '../people/links.ts';
import { openEventQueues } from '../registrations/event-queues.ts';
import { clientFolder } from './client-files.ts';
import type { ChannelSection, ConfigNeed } from './config/config.ts';
import { openChannels } from './open-channels.ts';
import type { ProcessContext } from './process.ts';
import { openFactQueue, publishAfterCommit } from './queues.ts';
import { ratesOf } from './rates.ts';
import { smsSegments } from './sms-segments.ts';
import { smsSendersOf } from './sms-senders.ts';
import { openStores } from './stores.ts';

type Context<N extends ConfigNeed> = ProcessContext<N>;

/** The dependencies of the HTTP server. */
export async function openHttp(
  context: Context<'http' | 'mongo' | 'redis' | ChannelSection>,
): Promise<{ deps: HttpDeps; options: HttpOptions }> {
  const { config, log, readiness } = context;
  const stores = await openStores(context);
  publishAfterCommit(stores, openFactQueue(context));
  const { publicUrl, jwt, signIn, rateLimit, connectionsPerAddress, trustProxy, bounceSecret } = config.http;
  const { sms, push } = config;
  const messageIds = signedMessageIds(await loadMessageSecrets(stores.database));
  return {
    deps: {
      ...stores,
      eventQueues: openEventQueues(stores),
      smsSegments,
      smsAllowance: { perDay: sms?.perDay ?? null, used: stores.smsBudget.used },
      rates: ratesOf(config.rate),
      openChannels: openChannels(context),
      links: signedLinks(await loadLinkSecret(stores.database)),
      twilioSignatureIsValid: async (signature, url, params) =>
        sms !== null && twilioSignatureIsValid(sms.authToken, signature, url, params),
      providerCallback: (news) => recordStatusCallback(stores, news),
      ...(sms ? { smsSenders: smsSendersOf(sms) } : {}),
      smsReply: async (reply) => {
        const wish = await recordReply(stores, reply);
        if (wish) log.info({ wish }, 'sms.reply');
      },
      bounceSecret,
      mailReport: async (raw) => {
        const report = await readMailReport(raw);
        const isOurs = report !== null && (await recordMailReport({ ...stores, messageIds }, report));
        const of = report && { deliveryId: report.about?.delivery_id ?? null, kind: report.kind };
        log.info({ ...of, isOurs }, 'mail.returned');
        return isOurs;
      },
      isUnavailable,
      ready: async () => {
        const { process: state, ...parts } = (await readiness()).parts;
        return { ...parts, process: state === 'started' ? 'ok' : (state ?? 'unknown') };
      },
    },
    options: {
      publicUrl,
      client: clientFolder(),
      signIn,
      rateLimit,
      // Behind a proxy all connections come from the proxy.
      ...(trustProxy === null ? { connections: { perAddress: connectionsPerAddress } } : { trustProxy }),
      verifyToken: tokenVerifier({ ...jwt.key, issuer: jwt.issuer, audience: jwt.audience }),
      ...(push ? { pushAllowedHosts: push.allowedHosts, pushPublicKey: push.publicKey } : {}),
    },
  };
}
