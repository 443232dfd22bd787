import { Histogram, type Registry } from 'prom-client';
import { acknowledgeIfAsked } from '../acknowledgements/acknowledge.ts';
import { answerInvitation } from '../calendar/answer-invitation.ts';
import { stopSenders, twilioSignatureIsValid, whatsAppAddress } from '../channels/sms/twilio-client.ts';
import { templateOf } from '../channels/whatsapp/whatsapp.ts';
import { tokenVerifier } from '../http/auth/authenticate.ts';
import type { HttpDeps, HttpOptions } from '../http/deps.ts';
import { QUEUE_BOARD } from '../http/operations/queue-board-routes.ts';
import { isUnavailable } from '../mongo/mongo-errors.ts';
import { loadSecret } from '../mongo/people/secret-store.ts';
import type { Content, PersonValues } from '../notifications/content/message.ts';
import { signedMessageIds } from '../notifications/providers/message-ids.ts';
import { recordMailReport, recordStatusCallback } from '../notifications/providers/provider-report.ts';
import { recordReply } from '../notifications/providers/sms-reply.ts';
import { tokenEndpoint } from '../outbound/token-endpoint.ts';
import { byChannel, type Channel, descriptorOf, isQueued } from '../people/channels.ts';
import { knownCallers } from '../people/known-callers.ts';
import { signedLinks } from '../people/links.ts';
import { doorCodes } from '../registrations/door/door.ts';
import { openEventQueues } from '../registrations/seats/event-queues.ts';
import { readTables } from '../storage/read-tables.ts';
import { fileReceiver } from '../storage/receive-file.ts';
import { builtFile, openChannels, texts } from './adapters.ts';
import type { ChannelSection } from './config/config.ts';
import { openFiles } from './files.ts';
import { BootRefused, type ProcessContext } from './process.ts';
import { publishAfterCommit, queueSettings } from './queues.ts';
import { openStores } from './stores.ts';
import { traceRequests } from './tracing/traced.ts';

/** The dependencies of the HTTP server. @throws BootRefused if a setting can't be used */
export async function openHttp(
  context: ProcessContext<'http' | 'mongo' | 'redis' | 'files' | 'webhooks' | ChannelSection>,
): Promise<{ deps: HttpDeps; options: HttpOptions }> {
  const { config, log, readiness } = context;
  if (config.email?.replyDomain && config.http.bounceSecret === null)
    throw new BootRefused(
      'BOUNCE_SECRET is missing: with REPLY_DOMAIN, the mail server shows it when it passes on answers',
    );
  const stores = await openStores(context);
  await publishAfterCommit(context);
  const { publicUrl, jwt, signIn, rateLimit, connectionsPerAddress, trustProxy, bounceSecret } = config.http;
  const { sms, push, whatsapp } = config;
  const secret = await loadSecret(stores.database);
  const links = signedLinks(secret);
  const messageIds = signedMessageIds(secret);
  const eventQueues = openEventQueues(stores);
  const completeCaller = knownCallers(stores);
  return {
    deps: {
      ...stores,
      eventQueues,
      storage: await openFiles(config.files),
      receiveFile: fileReceiver(config.files.maxBytes),
      maxFileBytes: config.files.maxBytes,
      webhookOrigins: config.webhooks.allowedOrigins,
      readTables,
      smsSegments,
      sampleMessage: async (of) => {
        const { sampleMessage } = await import('../channels/templates/sample-message.ts');
        return sampleMessage(await texts(), of, { from: config.email?.from ?? NO_SENDER });
      },
      smsAllowance: { perDay: sms?.perDay ?? null, readUsed: stores.smsBudget.readUsed },
      rates: ratesOf(config.rate),
      openChannels: openChannels(context),
      hasTemplate: (row) =>
        row.channel !== 'whatsapp' || !whatsapp || templateOf(whatsapp.templates, row) !== undefined,
      replyDomain: config.email?.replyDomain ?? null,
      links,
      completeCaller,
      door: { codes: doorCodes(secret), opensMs: config.http.checkInOpensMinutes * 60_000 },
      twilioSignatureIsValid: (signature, url, params) =>
        sms !== null && twilioSignatureIsValid(sms.authToken, signature, url, params),
      providerCallback: (callback) => recordStatusCallback(stores, callback),
      senders: {
        ...(sms && { sms: stopSenders(sms.senders, sms.urgentSenders) }),
        ...(whatsapp && { whatsapp: stopSenders([{ from: whatsAppAddress(whatsapp.from) }]) }),
      },
      smsReply: async (reply) => {
        const kind = await recordReply({ ...stores, acknowledge: acknowledgeIfAsked(stores) }, reply);
        log.info({ kind }, 'sms.reply');
      },
      bounceSecret,
      mailReport: async (raw) => {
        const { readCalendarReply, readMailReport } = await import('../channels/email/received-mail.ts');
        const reply = await readCalendarReply(raw);
        if (reply) {
          const answered = await answerInvitation({ ...stores, links, eventQueues, completeCaller }, reply);
          log.info({ eventId: answered?.event_id ?? null, result: answered?.result ?? null }, 'calendar.reply');
          return answered !== null;
        }
        const report = await readMailReport(raw);
        const isOurs = report !== null && (await recordMailReport({ ...stores, messageIds }, report));
        const of = report && { deliveryId: report.about?.delivery_id ?? null, kind: report.kind };
        log.info({ ...of, isOurs }, 'mail.returned');
        return isOurs;
      },
      isUnavailable,
      isDatabaseAway: stores.database.isAway,
      queueBoard: config.http.queueBoard ? await openQueueBoard(context) : null,
      ready: async () => {
        const { process: state, ...parts } = (await readiness()).parts;
        return { ...parts, process: state === 'started' ? 'ok' : (state ?? 'unknown') };
      },
    },
    options: {
      publicUrl,
      client: builtFile('web/'),
      signIn: signIn && {
        ...signIn,
        exchange: signIn.clientSecret === null ? null : tokenEndpoint({ ...signIn, clientSecret: signIn.clientSecret }),
      },
      rateLimit,
      ...(config.metricsPort > 0 ? { onResponse: timeRequests(context.metrics) } : {}),
      ...(context.tracer ? { traceRequest: traceRequests(context.tracer) } : {}),
      // Behind a proxy all connections come from the proxy.
      ...(trustProxy === null ? { connections: { perAddress: connectionsPerAddress } } : { trustProxy }),
      verifyToken: tokenVerifier(
        { ...jwt.key, issuer: jwt.issuer, audience: jwt.audience, claims: jwt.claims },
        {
          clock: stores.clock,
          findPeople: stores.contacts.findPresent,
          // Anyone can send an unreadable token; the others are signed by the provider.
          onRefused: ({ detail, extra }) =>
            log[extra?.claim ? 'warn' : 'debug']({ ...extra, why: detail }, 'sign_in.refused'),
        },
      ),
      pushAllowedHosts: push?.allowedHosts,
      pushPublicKey: push?.publicKey,
    },
  };
}

/** Expected messages per second: the configured rate, else the usual rate of a worker. */
const ratesOf = (set: Readonly<Record<Channel, number | null>>): Record<Channel, number> =>
  byChannel((channel) =>
    Math.min((isQueued(channel) ? set[channel] : null) ?? Number.POSITIVE_INFINITY, descriptorOf(channel).usualRate),
  );

/** Loaded on first use, because an API process composes no other messages. */
async function smsSegments(content: Content, person: PersonValues): Promise<number> {
  const { segmentsOf } = await import('../channels/templates/short-texts.ts');
  return segmentsOf((await texts()).sms(content).fill(person));
}

/** Shown as the sender while email is off. */
const NO_SENDER = 'no-reply@invalid';

/** Times requests by route, so that the number of series is bounded whatever paths are requested. */
function timeRequests(metrics: Registry): NonNullable<HttpOptions['onResponse']> {
  const durations = new Histogram({
    name: 'schoolbell_http_request_duration_seconds',
    help: 'Requests by route and status; live streams are left out',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [metrics],
  });
  return ({ method, route, status, seconds }) => durations.observe({ method, route, status }, seconds);
}

/** Loads the board of the queues, which logs what people change there. */
async function openQueueBoard({ config, log, own }: ProcessContext<'mongo' | 'redis'>) {
  const { queueBoard } = await import('../queues/board.ts');
  const { plugin, close } = queueBoard(queueSettings(config), QUEUE_BOARD);
  own({ name: 'queue board', close });
  return { plugin, onChange: (change: Record<string, unknown>) => log.warn(change, 'queue_board.changed') };
}
