import { Type } from 'typebox';
import { orNotFound } from '../../core/errors.ts';
import { scopeOf } from '../../people/caller.ts';
import { removeRecord } from '../../people/named-records.ts';
import { addWebhook, changeWebhook, MOST_WEBHOOKS, rotateSecret } from '../../webhooks/manage.ts';
import { ATTEMPT, type Attempt, WEBHOOK, type Webhook } from '../../webhooks/webhook.ts';
import { onePage, PAGING, readPage } from '../paging-query.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { named, nothing, optional, pageOfSchema, refTo, stampOrNull, strict } from '../schemas/fields.ts';

const { url, types, description, enabled } = WEBHOOK;

const ADD_WEBHOOK = strict(
  { url, types, description: optional(description) },
  {
    description: `A school has at most ${MOST_WEBHOOKS} webhooks.`,
    examples: [
      {
        url: 'https://automation.example/schoolbell',
        types: ['event.published', 'event.cancelled'],
        description: 'Website of the school',
      },
    ],
  },
);

const CHANGE_WEBHOOK = strict(
  { url: optional(url), types: optional(types), description: optional(description), enabled: optional(enabled) },
  { examples: [{ enabled: false }] },
);

const SHOWN_WEBHOOK = named('Webhook', {
  ...WEBHOOK,
  old_secret_until: { ...stampOrNull, description: 'Until when messages are signed with the old secret too.' },
});

const WEBHOOK_WITH_SECRET = named('WebhookWithSecret', {
  ...SHOWN_WEBHOOK.properties,
  secret: Type.String({
    description: 'The secret that messages are signed with, `whsec_…`. No other response has it.',
  }),
});

const WEBHOOK_ATTEMPT = named('WebhookAttempt', {
  ...ATTEMPT,
  message_id: Type.String({ description: 'The `webhook-id` of the message, the same in every try and replay.' }),
  next_try_at: { ...stampOrNull, description: 'When it is tried next. Null: not at all.' },
});

const WEBHOOKS = `${OPERATIONS}/webhooks`;
const ONE = `${WEBHOOKS}/:webhook_id`;
const access = { permission: 'manage_settings' } as const;

/** Routes for addresses that a school has changes of its events and registrations sent to. */
export function webhookRoutes(routes: Routes): void {
  routes.get(WEBHOOKS, {
    access,
    name: 'listWebhooks',
    summary: 'List the webhooks of the school, oldest first',
    responses: { 200: pageOfSchema(refTo(SHOWN_WEBHOOK)) },
    result: async ({ webhooks }, caller) => onePage((await webhooks.list(scopeOf(caller))).map(viewOf)),
  });

  routes.post(WEBHOOKS, {
    access,
    name: 'addWebhook',
    summary: 'Have changes sent to an address',
    description:
      'Within a second, each change of these types is posted to the address from then on, signed by Standard Webhooks ' +
      '(standardwebhooks.com) with the secret in this response. A message that the receiver does not answer with 2xx is tried ten times in about three ' +
      'days, so a receiver may get it again, with the same `webhook-id`.',
    body: ADD_WEBHOOK,
    responses: { 201: refTo(WEBHOOK_WITH_SECRET, 'The webhook', ['Location']) },
    returnsSecret: true,
    handle: async (deps, caller, { body }) => {
      const webhook = await addWebhook(deps, caller, { description: null, ...body });
      return { status: 201, body: withSecret(webhook), headers: { location: `${WEBHOOKS}/${webhook.id}` } };
    },
  });

  routes.get(ONE, {
    access,
    name: 'getWebhook',
    summary: 'Read a webhook',
    responses: { 200: refTo(SHOWN_WEBHOOK, 'The webhook') },
    result: async ({ webhooks }, caller, { params }) =>
      viewOf(orNotFound(await webhooks.find(scopeOf(caller), params.webhook_id))),
  });

  routes.patch(ONE, {
    access,
    name: 'changeWebhook',
    summary: 'Change a webhook, or turn it on or off',
    description: 'Messages that become due while it is off are skipped; each can be replayed.',
    body: CHANGE_WEBHOOK,
    responses: { 200: refTo(SHOWN_WEBHOOK, 'The webhook') },
    result: async (deps, caller, { params, body }) =>
      viewOf(await changeWebhook(deps, caller, params.webhook_id, body)),
  });

  routes.delete(ONE, {
    access,
    name: 'removeWebhook',
    summary: 'Remove a webhook and its attempts',
    responses: { 204: nothing('The webhook is removed') },
    result: async ({ webhooks }, caller, { params }) => removeRecord(webhooks, caller, params.webhook_id),
  });

  routes.post(`${ONE}/rotate_secret`, {
    access,
    name: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook',
    description: 'For a day, messages are signed with both secrets, so that the receiver can change to the new one.',
    responses: { 200: refTo(WEBHOOK_WITH_SECRET, 'The webhook with its new secret') },
    returnsSecret: true,
    result: async (deps, caller, { params }) => withSecret(await rotateSecret(deps, caller, params.webhook_id)),
  });

  routes.get(`${ONE}/attempts`, {
    access,
    name: 'listWebhookAttempts',
    summary: 'List what a webhook was sent in the last 30 days, newest first',
    query: strict(PAGING),
    responses: { 200: pageOfSchema(refTo(WEBHOOK_ATTEMPT)) },
    result: async ({ webhooks, webhookAttempts }, caller, { params, query }) => {
      const scope = scopeOf(caller);
      orNotFound(await webhooks.find(scope, params.webhook_id));
      const load = (limit: number, after: { id: string } | null) =>
        webhookAttempts.list(scope, params.webhook_id, { limit, before: after?.id });
      const atFact = ({ fact_id }: Attempt) => ({ at: '', id: fact_id });
      const page = await readPage(query, ['webhook attempts', params.webhook_id], load, atFact);
      return { ...page, data: page.data.map(attemptView) };
    },
  });

  routes.post(`${ONE}/attempts/:attempt_id/replay`, {
    access,
    name: 'replayWebhookAttempt',
    summary: 'Send a message again',
    description: 'It has the same `webhook-id` and body as before, and all of its retries.',
    responses: { 202: refTo(WEBHOOK_ATTEMPT, 'The attempt, which is due now') },
    result: async ({ webhookAttempts, clock }, caller, { params: { webhook_id, attempt_id } }) =>
      attemptView(orNotFound(await webhookAttempts.replay(scopeOf(caller), webhook_id, attempt_id, clock.now()))),
  });
}

/** A webhook without its secrets. */
const viewOf = ({ secrets: [, old], ...webhook }: Webhook) => ({ ...webhook, old_secret_until: old?.until ?? null });

const withSecret = (webhook: Webhook) => ({ ...viewOf(webhook), secret: webhook.secrets[0]?.value });

const attemptView = (attempt: Attempt) => ({
  ...attempt,
  message_id: attempt.fact_id,
  next_try_at: attempt.status === 'pending' ? attempt.due_at : null,
});
