import { api, unwrap } from '../api/client.ts';
import { getQuery, listQuery } from '../api/queries.ts';
import type { components, QueryOf, ResponseOf } from '../api/types.ts';

type Filter = 'status' | 'channel' | 'trigger' | 'event_id' | 'user_id';
/** The page's URL: filters of the messages, named like the API's query parameters, or the quarantine. */
export type OpsSearch = { show?: 'quarantine' } & { [name in Filter]?: string };

export type Queue = ResponseOf<'/api/v1/operations/queues'>['data'][number];
export type Delivery = components['schemas']['OperatedDelivery'];
export type Quarantined = components['schemas']['QuarantinedDelivery'];
type Wanted = QueryOf<'/api/v1/operations/deliveries'>;

const POLL_MS = 5_000;

/** Queue of each channel, polled. */
export const queuesQuery = getQuery(['ops', 'queues'], '/api/v1/operations/queues', {}, { refetchInterval: POLL_MS });

export const deliveriesQuery = ({ show: _, ...filters }: OpsSearch) =>
  listQuery(['ops', 'deliveries', filters], '/api/v1/operations/deliveries', {
    query: { ...(filters as Wanted), limit: 50 },
  });

/** How many messages match the filters, and how many people they are for. */
export const countQuery = ({ show: _, ...filters }: OpsSearch) =>
  getQuery(['ops', 'count', filters], '/api/v1/operations/deliveries/count', { query: filters as Wanted });

export const quarantineQuery = listQuery(['ops', 'quarantine'], '/api/v1/operations/quarantine', {
  query: { limit: 50 },
});

const path = (delivery_id: string) => ({ params: { path: { delivery_id } } });

export const reveal = (id: string) => unwrap(api.POST('/api/v1/operations/deliveries/{delivery_id}/reveal', path(id)));
export const redrive = (id: string) =>
  unwrap(api.POST('/api/v1/operations/quarantine/{delivery_id}/redrive', path(id)));
/** Lets this browser open the queue board. @returns its address */
export const openQueueBoard = () => unwrap(api.POST('/api/v1/operations/queues/board'));
export const discard = (id: string) =>
  unwrap(api.POST('/api/v1/operations/quarantine/{delivery_id}/discard', path(id)));
