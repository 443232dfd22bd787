import { createHash } from 'node:crypto';
import { Agent } from 'undici';
import webpush, { type RequestDetails, type RequestOptions } from 'web-push';
import { type Clock, within } from '../../core/clock.ts';
import { mapBy } from '../../core/groups.ts';
import { createLoader } from '../../core/micro-batch.ts';
import type { ChannelAdapter } from '../../notifications/channel-adapter.ts';
import type { Outgoing } from '../../notifications/content/message.ts';
import type { Outcome } from '../../notifications/outcome.ts';
import { ruleOf } from '../../notifications/policy/trigger-table.ts';
import { type LookupAll, PRIVATE_ADDRESS, publicConnector } from '../../outbound/public-connector.ts';
import { type Scope, scopeKey, scopeOf } from '../../people/caller.ts';
import type { PushSubscription, PushSubscriptionStore } from '../../people/ports.ts';
import { endpointFault } from '../../people/push-endpoint.ts';
import type { Failover } from '../failover.ts';
import { exchange, type HttpResult, retryAfterMs } from '../http-exchange.ts';
import type { Texts } from '../templates/catalogue.ts';
import { type VapidSettings, vapidSigner } from './vapid.ts';

type PushChannelOptions = {
  texts: Pick<Texts, 'push'>;
  subscriptions: Pick<PushSubscriptionStore, 'findMany' | 'removeByEndpoint'>;
  vapid: VapidSettings;
  /** PUSH_ALLOWED_HOSTS as `parsePushHosts` reads it, or `PUSH_HOSTS` */
  allowedHosts: readonly string[];
  /** treats every push service (origin) as a separate provider */
  failover: Failover;
  sendTimeoutMs: number;
  clock: Clock;
  /** how names are resolved; for tests */
  lookup?: LookupAll;
};

/** Connections to one origin, at most: a person may have several browsers. */
const CONNECTIONS = 32;
/** A killed worker leaves at most this many messages in an unknown state. */
const CAPACITY = 20;
const DAY_S = 24 * 60 * 60;
/** Firebase, the push service of Chrome, takes no longer TTL. */
const TTL_MAX_S = 28 * DAY_S;
/** The payload must fit in one record of 4096 bytes (RFC 8291 §4). */
const PAYLOAD_MAX = 3900;

/**
 * Web Push (RFC 8030, 8188, 8291, 8292; web-push encrypts and signs). Sends the message to each browser of a person; a
 * later message about the same event replaces the earlier one by Topic and tag. Endpoints must be at allowed hosts and
 * public addresses, redirects are not followed, and ended subscriptions are removed.
 */
export function pushChannel(options: PushChannelOptions): ChannelAdapter {
  const { texts, subscriptions, allowedHosts, failover, sendTimeoutMs, clock } = options;
  const authorization = vapidSigner(options.vapid, clock);
  const guarded = new Agent({ connections: CONNECTIONS, connect: publicConnector(sendTimeoutMs, options.lookup) });
  /** for origins an operator listed on purpose */
  const listed = new Agent({ connections: CONNECTIONS, connect: { timeout: sendTimeoutMs } });

  const subscriptionsOf = createLoader(scopeKey, async (scope: Scope, user_ids: readonly string[]) => {
    const byPerson = mapBy(await subscriptions.findMany(scope, user_ids), ({ user_id }) => [user_id]);
    return (user_id: string) => byPerson.get(user_id) ?? [];
  });

  async function send(message: Outgoing): Promise<Outcome> {
    const endsAt = performance.now() + sendTimeoutMs;
    const browsers = await untilEnd(endsAt, subscriptionsOf(scopeOf(message.delivery), message.delivery.user_id));
    if (!browsers) return { kind: 'infrastructure', detail: 'push subscriptions' };
    return outcomeOfAll(await Promise.all(browsers.map((one) => sendToBrowser(one, message, endsAt))));
  }

  async function sendToBrowser(
    { endpoint, keys }: PushSubscription,
    message: Outgoing,
    endsAt: number,
  ): Promise<Outcome> {
    if (endpointFault(endpoint, allowedHosts) !== null) return { kind: 'refused', detail: 'push endpoint' };
    const url = new URL(endpoint);
    const outcome = await encryptAndPost({ url, keys, message, endsAt });
    if (outcome.kind === 'accepted') return { kind: 'accepted' };
    if (outcome.kind === 'gone') await untilEnd(endsAt, subscriptions.removeByEndpoint(endpoint));
    return outcome;
  }

  async function encryptAndPost(one: ForBrowser): Promise<Outcome> {
    const { url, keys, message } = one;
    const topic = topicOf(message);
    let payloads: Payloads;
    try {
      payloads = payloadsOf(message, topic, texts);
    } catch {
      return { kind: 'unclassified', detail: 'push text' };
    }
    const { full, small } = payloads;
    const options = requestOptions(message, topic, clock.now(), authorization(url.origin));
    const encrypt = (payload: string) => webpush.generateRequestDetails({ endpoint: url.href, keys }, payload, options);
    let request: PushRequest;
    try {
      request = encrypt(full);
    } catch {
      return { kind: 'refused', detail: 'push keys' };
    }
    const postTo = async (): Promise<Outcome> => {
      const sent = await post(one, request);
      const isTooLarge = sent.answered && sent.status === 413 && full !== small;
      return pushOutcome(isTooLarge ? await post(one, encrypt(small)) : sent, clock.now());
    };
    const { tenant_id, user_id } = message.delivery;
    const recipient = JSON.stringify([tenant_id, user_id]);
    return failover.send({ [url.host]: url }, postTo, { urgent: false, recipient });
  }

  function post({ url, endsAt }: ForBrowser, { headers, body }: PushRequest): Promise<HttpResult> {
    const { origin, pathname, search } = url;
    return exchange(
      allowedHosts.includes(origin) ? listed : guarded,
      { origin, path: pathname + search, method: 'POST', headers, body },
      Math.max(endsAt - performance.now(), 1),
    );
  }

  const close = async () => void (await Promise.all([guarded.close(), listed.close()]));

  return { channel: 'push', capacity: CAPACITY, breakers: failover.breakers, send, close };
}

/** One message for one browser; `endsAt` by `performance.now()`. */
type ForBrowser = { url: URL; keys: PushSubscription['keys']; message: Outgoing; endsAt: number };

/** The headers and encrypted body that web-push makes of a payload. */
type PushRequest = Pick<RequestDetails & { body: Buffer }, 'headers' | 'body'>;

type Payloads = { full: string; small: string };

/** The notification for the browser's service worker; `small` is sent if the push service refuses `full` as too large. */
function payloadsOf(message: Outgoing, tag: string, texts: Pick<Texts, 'push'>): Payloads {
  const { delivery, content, person } = message;
  const { title, body } = texts.push(content).fill(person);
  const { url } = content.event;
  const full = JSON.stringify({
    title,
    body,
    url,
    tag,
    delivery: delivery.id,
    event: delivery.event_id,
    tenant: delivery.tenant_id,
    trigger: delivery.trigger,
  });
  const small = JSON.stringify({ title, url });
  return { full: Buffer.byteLength(full) <= PAYLOAD_MAX ? full : small, small };
}

function requestOptions(message: Outgoing, topic: string, now: Date, Authorization: string): RequestOptions {
  const { expires_at, trigger } = message.delivery;
  const left = expires_at ? Math.floor((expires_at.getTime() - now.getTime()) / 1000) : DAY_S;
  return {
    TTL: Math.min(Math.max(0, left), TTL_MAX_S),
    urgency: ruleOf(trigger).urgent ? 'high' : 'normal',
    topic,
    headers: { Authorization },
  };
}

/** A later message about an event replaces the earlier one. At most 32 URL-safe characters (RFC 8030 §5.4). */
function topicOf({ delivery }: Outgoing): string {
  const { tenant_id, event_id, user_id } = delivery;
  return createHash('sha256')
    .update(JSON.stringify([tenant_id, event_id, user_id]))
    .digest('base64url')
    .slice(0, 32);
}

/** The result of `work`, or null if it fails or does not finish in time. */
const untilEnd = <T>(endsAt: number, work: Promise<T>): Promise<T | null> =>
  within<T | null>(Math.max(endsAt - performance.now(), 1), work, () => null).catch(() => null);

/** The meaning of an answer of a push service, or of none. Never ambiguous, because a repeated push replaces the first copy. */
export function pushOutcome(result: HttpResult, now: Date): Outcome {
  if (!result.answered) {
    const detail = `push ${result.code}`;
    if (result.code === PRIVATE_ADDRESS) return { kind: 'refused', detail };
    return { kind: result.written ? 'transient' : 'infrastructure', detail };
  }
  const { status, headers } = result;
  const detail = `push ${status}`;
  if (status < 300) return { kind: 'accepted' };
  if (status === 404 || status === 410) return { kind: 'gone', detail };
  // also the answer for a single subscription that was made with other keys
  if (status === 401 || status === 403) return { kind: 'configuration', detail, of: 'route' };
  if (status === 429) return { kind: 'throttled', detail, retry_after_ms: retryAfterMs(headers['retry-after'], now) };
  if (status >= 500 || status === 408) return { kind: 'transient', detail };
  return { kind: 'refused', detail };
}

/** From outcomes worth a retry to final ones. */
const PRECEDENCE = ['accepted', 'throttled', 'infrastructure', 'transient', 'configuration', 'refused'] as const;

/** One outcome for a person with several browsers: accepted if any browser got the message, else retried while any may. */
export function outcomeOfAll(outcomes: readonly Outcome[]): Outcome {
  for (const kind of PRECEDENCE) {
    const found = outcomes.find((outcome) => outcome.kind === kind);
    if (found) return found;
  }
  return outcomes[0] ?? { kind: 'gone', detail: 'no subscription' };
}
