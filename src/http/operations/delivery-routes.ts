import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { pageOf } from '../../core/paging.ts';
import { retryFailed } from '../../notifications/delivery/retry-failed.ts';
import { DELIVERY_STATUSES, type Delivery, REASONS, RETRYABLE_REASONS } from '../../notifications/delivery.ts';
import { masked } from '../../notifications/masked.ts';
import { scopeOf } from '../../people/caller.ts';
import { revealDelivery } from '../../privacy/reveal.ts';
import type { RouteDeps } from '../deps.ts';
import { limitOf, PAGING, positionOf } from '../paging-query.ts';
import { OPERATIONS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { id, oneOf, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { bulkFilter, SPAN } from './bulk-filter.ts';
import { CHANNEL, OPERATED, QUEUE, TRIGGER } from './records-schema.ts';

const access = { permission: 'manage_deliveries' } as const;

/** What becomes of messages, for those who look after it: whom they are for is shown on request, which is written down. */
export function deliveryRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${OPERATIONS}/queues`,
    access,
    name: 'getQueues',
    tag: 'deliveries',
    summary: 'What waits on each channel of my school, and since when',
    answers: {
      200: Type.Object(
        { data: Type.Array(QUEUE), statuses: Type.Array(oneOf(DELIVERY_STATUSES)) },
        { description: 'One row per channel' },
      ),
    },
    handle: async ({ deliveries }, caller) => ({
      status: 200,
      body: { data: await deliveries.depths(scopeOf(caller)), statuses: [...DELIVERY_STATUSES] },
    }),
  });

  addRoute(app, deps, {
    method: 'GET',
    url: `${OPERATIONS}/deliveries`,
    access,
    name: 'getDeliveriesOfSchool',
    tag: 'deliveries',
    summary: 'Messages of my school, newest first; names and addresses are masked',
    query: strict({
      ...PAGING,
      status: optional(oneOf(DELIVERY_STATUSES)),
      channel: optional(CHANNEL),
      trigger: optional(TRIGGER),
      event_id: optional(id),
      user_id: optional(id),
    }),
    answers: { 200: pageOfSchema(refTo(OPERATED)) },
    handle: async ({ deliveries }, caller, { query }) => {
      const { limit: _, cursor: __, ...wanted } = query;
      const limit = limitOf(query);
      const filters = ['deliveries', wanted];
      const last = positionOf(query, filters);
      const rows = await deliveries.latest(scopeOf(caller), {
        ...wanted,
        ...(last ? { before: { at: new Date(last.at), id: last.id } } : {}),
        limit: limit + 1,
      });
      const page = pageOf(rows, limit, (row) => ({ at: row.created_at.toISOString(), id: row.id }), filters);
      return { status: 200, body: { ...page, data: page.data.map((row) => operatedView(masked(row))) } };
    },
  });

  addRoute(app, deps, {
    method: 'POST',
    url: `${OPERATIONS}/deliveries/retry`,
    access,
    name: 'retryDeliveries',
    tag: 'deliveries',
    summary: 'Send failed messages again, by event, reason and time',
    description:
      'Needs `event_id`, `reason` or `from`; `from` and `to` bound the moment a message failed. Each is sent as if it were new, if it is still true and in time; the timeline of each event says who retried how many. One call retries at most 1,000: call again while `has_more` is true, with `to` in the past, so that messages that fail again are not retried without end.',
    body: strict({
      event_id: optional(id),
      channel: optional(CHANNEL),
      reason: optional(oneOf(RETRYABLE_REASONS)),
      ...SPAN,
    }),
    answers: {
      200: Type.Object({ retried: Type.Integer(), has_more: Type.Boolean() }, { description: 'How many messages' }),
    },
    handle: async (joined, caller, { body }) => ({
      status: 200,
      body: await retryFailed(joined, caller, bulkFilter(body, ['event_id', 'reason', 'from'])),
    }),
  });

  addRoute(app, deps, {
    method: 'POST',
    url: `${OPERATIONS}/deliveries/:delivery_id/reveal`,
    access,
    name: 'revealDelivery',
    tag: 'deliveries',
    summary: 'Whom one message is for, unmasked',
    description: 'Who asked is kept in the timeline of the event.',
    params: strict({ delivery_id: Type.String({ minLength: 1, maxLength: 100 }) }),
    // No reply is kept: it tells an address.
    returnsSecret: true,
    answers: { 200: refTo(OPERATED, 'The delivery with name and address') },
    refusals: ['not_found'],
    handle: async (joined, caller, { params }) => ({
      status: 200,
      body: operatedView(await revealDelivery(joined, caller, params.delivery_id)),
    }),
  });
}

const operatedView = (row: Delivery) => ({
  ...row,
  reason_text: row.reason && REASONS[row.reason],
  provider: row.provider ?? null,
});
