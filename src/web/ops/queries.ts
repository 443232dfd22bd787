import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { listQuery } from '../api/queries.ts';
import type { Answer, components, QueryOf } from '../api/types.ts';
import type { OpsSearch } from './search.ts';

export type DeliveryCount = Answer<'/api/v1/operations/deliveries/count'>;
export type Queue = Answer<'/api/v1/operations/queues'>['data'][number];
export type Delivery = components['schemas']['OperatedDelivery'];
export type Quarantined = components['schemas']['QuarantinedDelivery'];
type Wanted = QueryOf<'/api/v1/operations/deliveries'>;

const POLL_MS = 5_000;

/** Queue of each channel, polled. */
export const queuesQuery = queryOptions({
  queryKey: ['ops', 'queues'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/v1/operations/queues', { signal })),
  refetchInterval: POLL_MS,
});

export const deliveriesQuery = ({ show: _, ...filters }: OpsSearch) =>
  listQuery(['ops', 'deliveries', filters], (cursor, signal) => {
    const query = { ...filters, limit: 50, cursor } as Wanted;
    return unwrap(api.GET('/api/v1/operations/deliveries', { params: { query }, signal }));
  });

/** How many messages match the filters, and how many people they are for. */
export const countQuery = ({ show: _, ...filters }: OpsSearch) =>
  queryOptions({
    queryKey: ['ops', 'count', filters],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/v1/operations/deliveries/count', { params: { query: filters as Wanted }, signal })),
  });

export const quarantineQuery = listQuery(['ops', 'quarantine'], (cursor, signal) =>
  unwrap(api.GET('/api/v1/operations/quarantine', { params: { query: { limit: 50, cursor } }, signal })),
);

const path = (delivery_id: string) => ({ params: { path: { delivery_id } } });

export const reveal = (id: string) => unwrap(api.POST('/api/v1/operations/deliveries/{delivery_id}/reveal', path(id)));
export const redrive = (id: string) =>
  unwrap(api.POST('/api/v1/operations/quarantine/{delivery_id}/redrive', path(id)));
/** Lets this browser open the queue board. @returns its address */
export const openQueueBoard = () => unwrap(api.POST('/api/v1/operations/queues/board'));
export const discard = (id: string) =>
  unwrap(api.POST('/api/v1/operations/quarantine/{delivery_id}/discard', path(id)));
