import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import { byId } from '../../core/groups.ts';
import { inLanguage } from '../../events/event.ts';
import {
  discardDelivery,
  redriveDelivery,
  retryFailed,
  revealDelivery,
} from '../../notifications/delivery/staff-actions.ts';
import { DELIVERY_STATUSES, type Delivery, RETRYABLE_REASONS } from '../../notifications/delivery.ts';
import { reasonInWords } from '../../notifications/explain/why-words.ts';
import { masked } from '../../notifications/masked.ts';
import { QUEUE_DEPTH } from '../../notifications/ports.ts';
import { type Caller, scopeOf } from '../../people/caller.ts';
import { maySee } from '../../people/visibility.ts';
import type { RouteDeps } from '../deps.ts';
import { preferredLanguage } from '../language.ts';
import { createdAt, momentOf, onePage, PAGING, readPage } from '../paging-query.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { anyOf, described, id, oneOf, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { bulkFilter, SPAN } from './bulk-filter.ts';
import { CHANNEL, DELIVERY_COUNT, OPERATED, QUARANTINED, TRIGGER, WITH_STATUS } from './records-schema.ts';

const access = { permission: 'manage_deliveries' } as const;

const FILTERS = {
  status: WITH_STATUS,
  channel: anyOf(CHANNEL, 'Only messages on this channel.'),
  trigger: anyOf(TRIGGER, 'Only messages of this trigger.'),
  event_id: optional(id),
  user_id: optional(id),
};

/** Routes for operators of deliveries. Names and addresses are masked; revealing them is recorded in the timeline. */
export function deliveryRoutes(routes: Routes): void {
  routes.get(`${OPERATIONS}/queues`, {
    access,
    name: 'listQueues',
    summary: 'Read the queue of each channel of your school',
    responses: { 200: pageOfSchema(QUEUE_DEPTH, { statuses: Type.Array(oneOf(DELIVERY_STATUSES)) }) },
    result: async ({ deliveries }, caller) => ({
      ...onePage(await deliveries.countQueued(scopeOf(caller))),
      statuses: [...DELIVERY_STATUSES],
    }),
  });

  routes.get(`${OPERATIONS}/deliveries`, {
    access,
    name: 'listDeliveries',
    summary: 'List messages of your school, newest first, with masked names and addresses',
    query: strict({ ...PAGING, ...FILTERS }),
    responses: { 200: pageOfSchema(refTo(OPERATED)) },
    result: async (deps, caller, { query, headers }) => {
      const { limit: _, cursor: __, ...wanted } = query;
      const page = await readPage(
        query,
        ['deliveries', wanted],
        (limit, last) => deps.deliveries.list(scopeOf(caller), { ...wanted, before: momentOf(last), limit }),
        createdAt,
      );
      return { ...page, data: await viewsOf(deps, caller, page.data.map(masked), headers) };
    },
  });

  routes.get(`${OPERATIONS}/deliveries/count`, {
    access,
    name: 'countDeliveries',
    summary: 'Count the messages of your school, and the people they are for',
    query: strict(FILTERS),
    responses: { 200: DELIVERY_COUNT },
    result: async ({ deliveries }, caller, { query }) => deliveries.count(scopeOf(caller), query),
  });

  routes.post(`${OPERATIONS}/deliveries/retry`, {
    access,
    name: 'retryDeliveries',
    summary: 'Send failed messages again, by event, reason and time',
    description:
      'Send `event_id`, `reason`, `from` or `delivery_id`. A single message may also be one that was not sent to a suppressed address. `from` and `to` limit when a message failed. Each message is sent like a new one if it is still relevant. The timeline of each event shows who retried how many messages. One call retries at most 1,000 messages: repeat it while `has_more` is true, with `to` in the past so that messages that fail again are not retried forever.',
    body: strict(
      {
        event_id: optional(id),
        channel: optional(CHANNEL),
        reason: optional(oneOf(RETRYABLE_REASONS)),
        delivery_id: optional(id),
        ...SPAN,
      },
      { examples: [{ channel: 'email', from: '2026-09-01T08:00:00Z' }] },
    ),
    responses: { 200: described('How many messages', { retried: Type.Integer(), has_more: Type.Boolean() }) },
    result: async (deps, caller, { body }) =>
      retryFailed(deps, caller, bulkFilter(body, ['event_id', 'reason', 'from', 'delivery_id'])),
  });

  routes.post(`${OPERATIONS}/deliveries/:delivery_id/reveal`, {
    access,
    name: 'revealDelivery',
    summary: 'Show the recipient of a message',
    description: 'The timeline of the event records who asked.',
    // The reply contains an address, so it is never stored.
    returnsSecret: true,
    responses: { 200: refTo(OPERATED, 'The delivery with name and address') },
    result: async (deps, caller, { params, headers }) =>
      viewOf(deps, caller, await revealDelivery(deps, caller, params.delivery_id), headers),
  });

  routes.get(QUARANTINE, {
    access,
    name: 'listQuarantinedDeliveries',
    summary:
      'List quarantined messages: those that crashed a process or failed five times because of an internal error',
    query: strict(PAGING),
    responses: { 200: pageOfSchema(refTo(QUARANTINED)) },
    result: async (deps, caller, { query, headers }) => {
      const page = await readPage(query, ['quarantine'], (limit, last) =>
        deps.deliveries.listQuarantined(scopeOf(caller), { after: last?.id, limit }),
      );
      return { ...page, data: await viewsOf(deps, caller, page.data.map(masked), headers) };
    },
  });

  const decisions = [
    ['redriveDelivery', 'redrive', 'Send a quarantined message again', redriveDelivery],
    ['discardDelivery', 'discard', 'Discard a quarantined message', discardDelivery],
  ] as const;
  for (const [name, how, summary, apply] of decisions)
    routes.post(`${QUARANTINE}/:delivery_id/${how}`, {
      access,
      name,
      summary,
      description: 'The timeline of the event records who did it.',
      responses: { 200: refTo(QUARANTINED, 'The message after the change') },
      result: async (deps, caller, { params, headers }) =>
        viewOf(deps, caller, masked(await apply(deps, caller, params.delivery_id)), headers),
    });
}

/** Messages as operators see them, with the titles of their events, from one query. */
async function viewsOf({ events }: RouteDeps, caller: Caller, rows: readonly Delivery[], headers: IncomingHttpHeaders) {
  const locale = preferredLanguage(headers);
  const known = byId(await events.findMany([...new Set(rows.map(({ event_id }) => event_id))]));
  return rows.map((row) => {
    const event = known.get(row.event_id);
    return {
      ...row,
      reason_text: row.reason && reasonInWords(row.reason, locale ?? 'en'),
      about: event?.is_message ? ('message' as const) : ('event' as const),
      event_title: event && maySee(caller, event) ? inLanguage(event, locale).title : null,
    };
  });
}

const viewOf = async (deps: RouteDeps, caller: Caller, row: Delivery, headers: IncomingHttpHeaders) =>
  (await viewsOf(deps, caller, [row], headers))[0];

const QUARANTINE = `${OPERATIONS}/quarantine`;
