import type { SchoolEvent } from '../events/event.ts';
import type { EventStore } from '../events/ports.ts';
import { publicView } from '../events/read-public.ts';
import type { Fact } from '../outbox/fact.ts';
import { SHOWN_FIELDS, type WebhookType } from '../outbox/shown-facts.ts';
import { type NoticeDeps, turnOff, warn } from './manage.ts';
import { GONE, isGivenUp, isToWarn, nextTryAt, outageBegan } from './retry.ts';
import { signedHeaders } from './signature.ts';
import type { Attempt, AttemptStore, DisabledReason, Try, Webhook } from './webhook.ts';

/** Posts a body to a receiver, to public addresses only. Resolves within a time limit and never rejects. */
export type PostWebhook = (
  url: string,
  headers: Record<string, string>,
  body: string,
) => Promise<Pick<Try, 'status_code' | 'problem'>>;

export type DeliverWebhooksDeps = NoticeDeps & {
  webhookAttempts: AttemptStore;
  events: EventStore;
  post: PostWebhook;
  leaseMs: number;
  report: (attempt: Attempt, result: Try & Pick<Attempt, 'status'>) => void;
  onWarned: (webhook: Webhook) => void;
  onDisabled: (webhook: Webhook, reason: DisabledReason) => void;
};

/**
 * Sends the attempt of a subscription that is due the longest, and records the try. At least once: an attempt whose worker was
 * killed is sent again after its lease, with the same id and body. Any number of processes may run it.
 * @returns false if none is due
 */
export async function deliverNext(deps: DeliverWebhooksDeps, webhook_id: string): Promise<boolean> {
  const now = deps.clock.now();
  const attempt = await deps.webhookAttempts.lease(webhook_id, now, new Date(now.getTime() + deps.leaseMs));
  if (!attempt) return false;
  const webhook = await deps.webhooks.load(webhook_id);
  const body = webhook?.enabled ? (attempt.body ?? (await writeBody(deps, attempt))) : null;
  if (!webhook || body === null) await deps.webhookAttempts.skip(attempt);
  else await send(deps, webhook, { ...attempt, body });
  return true;
}

/** Stores the body, so that every try sends the same. @returns null if the fact has been deleted or the lease was lost */
async function writeBody({ facts, events, webhookAttempts }: DeliverWebhooksDeps, attempt: Attempt) {
  const [fact] = await facts.findMany([attempt.fact_id]);
  if (!fact) return null;
  const body = bodyOf(fact, attempt.type, await events.find(attempt, attempt.event_id));
  return (await webhookAttempts.saveBody(attempt, body)) ? body : null;
}

async function send(deps: DeliverWebhooksDeps, webhook: Webhook, attempt: Attempt & { body: string }): Promise<void> {
  const at = deps.clock.now();
  const began = performance.now();
  const headers = signedHeaders(attempt.fact_id, attempt.body, webhook.secrets, at);
  const response = await deps.post(webhook.url, headers, attempt.body);
  const one: Try = { at, ms: Math.round(performance.now() - began), ...response };
  const failures = one.problem === null ? 0 : attempt.failures + 1;
  const isFinal = one.problem === null || one.status_code === GONE;
  const retryAt = isFinal ? null : nextTryAt(failures, deps.clock.now(), Math.random());
  const status = one.problem === null ? 'delivered' : retryAt ? 'pending' : 'failed';
  if (!(await deps.webhookAttempts.record(attempt, { try: one, status, failures, due_at: retryAt ?? at }))) return;
  deps.report(attempt, { ...one, status });
  await recordHealth(deps, webhook, one);
}

/** Turns a subscription off that wants no more messages or has only failed for days, and warns staff before. */
async function recordHealth(deps: DeliverWebhooksDeps, webhook: Webhook, { problem, status_code }: Try): Promise<void> {
  if (problem === null) return deps.webhooks.markHealthy(webhook.id);
  const now = deps.clock.now();
  const since = await deps.webhooks.markFailing(webhook.id, now, outageBegan(now));
  const reason = status_code === GONE ? 'gone' : isGivenUp(since, now) ? 'failing' : null;
  if (reason && (await turnOff(deps, webhook, reason))) deps.onDisabled(webhook, reason);
  if (!reason && isToWarn(since, now) && (await warn(deps, webhook, since))) deps.onWarned(webhook);
}

/**
 * The body of a message (Standard Webhooks 1.0): the fact, and the event as visitors see it. Names people by ids only.
 * @param event as it is now; null if it has been deleted
 */
export function bodyOf(fact: Fact, type: WebhookType, event: SchoolEvent | null): string {
  const { event_id, occurred_at } = fact;
  const shown = ['registration_id', 'user_id', ...(SHOWN_FIELDS[type].webhooks ?? [])];
  const details = Object.entries(fact.data).filter(([field]) => shown.includes(field));
  const data = { event_id, ...Object.fromEntries(details), event: event && publicView(event) };
  return JSON.stringify({ type, timestamp: occurred_at, data });
}
