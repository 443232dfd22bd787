import { api, unwrap } from '../api/client.ts';
import { invalidate, queryClient, rowsQuery } from '../api/queries.ts';
import type { components } from '../api/types.ts';

export type Webhook = components['schemas']['Webhook'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookType = Webhook['types'][number];

const URL = '/api/v1/operations/webhooks';
const ONE = `${URL}/{webhook_id}` as const;
const KEY = ['webhooks'];
const at = (webhook_id: string) => ({ path: { webhook_id } });

/** What a webhook may be sent, in the order of the form. */
const GROUP_OF: Record<WebhookType, 'events' | 'registrations'> = {
  'event.published': 'events',
  'event.changed': 'events',
  'event.cancelled': 'events',
  'event.postponed': 'events',
  'event.unpublished': 'events',
  'event.started': 'events',
  'event.completed': 'events',
  'event.created': 'events',
  'event.edited': 'events',
  'event.scheduled': 'events',
  'event.returned': 'events',
  'event.deleted': 'events',
  'registration.pending': 'registrations',
  'registration.confirmed': 'registrations',
  'registration.waitlisted': 'registrations',
  'registration.cancelled': 'registrations',
  'registration.refused': 'registrations',
  'registration.edited': 'registrations',
  'registration.checked_in': 'registrations',
  'registration.check_in_undone': 'registrations',
};
export const typesOf = (group: 'events' | 'registrations'): WebhookType[] =>
  (Object.keys(GROUP_OF) as WebhookType[]).filter((type) => GROUP_OF[type] === group);

export const reloadWebhooks = () => invalidate(KEY);

/** Messages are sent, and tried again, while the page is open. */
const POLL = { refetchInterval: 3_000 };

export const webhooksQuery = rowsQuery(KEY, URL, {}, POLL);

/** The latest messages to a webhook. */
export const attemptsQuery = (id: string) =>
  rowsQuery([...KEY, id, 'attempts'], `${ONE}/attempts`, { ...at(id), query: { limit: 20 } }, POLL);

type WebhookBody = Pick<Webhook, 'url' | 'types' | 'description'>;

export const addWebhook = (body: WebhookBody) => unwrap(api.POST(URL, { body }));
export const changeWebhook = (id: string, body: Partial<WebhookBody> & { enabled?: boolean }) =>
  unwrap(api.PATCH(ONE, { params: at(id), body }));
export const rotateSecret = (id: string) => unwrap(api.POST(`${ONE}/rotate_secret`, { params: at(id) }));

/** Removes a webhook, from the page first: its messages would be loaded again while it is removed, and not be found. */
export async function removeWebhook(id: string): Promise<void> {
  await queryClient.cancelQueries({ queryKey: KEY });
  queryClient.setQueryData(
    webhooksQuery.queryKey,
    (now) => now && { ...now, data: now.data.filter((one) => one.id !== id) },
  );
  await unwrap(api.DELETE(ONE, { params: at(id) })).finally(() =>
    queryClient.invalidateQueries({ queryKey: KEY, exact: true }),
  );
}

export const replay = (webhook_id: string, attempt_id: string) =>
  unwrap(api.POST(`${ONE}/attempts/{attempt_id}/replay`, { params: { path: { webhook_id, attempt_id } } }));
