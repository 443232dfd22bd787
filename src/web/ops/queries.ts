import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client.ts';
import type { components, paths } from '../api/types.ts';
import type { OpsSearch } from './search.ts';

type Get<P extends '/api/v1/operations/queues' | '/api/v1/operations/deliveries'> = paths[P]['get'];
export type Queue = Get<'/api/v1/operations/queues'>['responses'][200]['content']['application/json']['data'][number];
export type Delivery = components['schemas']['OperatedDelivery'];
export type Quarantined = components['schemas']['QuarantinedDelivery'];
type Wanted = NonNullable<Get<'/api/v1/operations/deliveries'>['parameters']['query']>;

const EVERY_MS = 5_000;

/** What waits on each channel, asked again all the time. */
export const queuesQuery = queryOptions({
  queryKey: ['ops', 'queues'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/operations/queues', { signal })),
  refetchInterval: EVERY_MS,
});

export const deliveriesQuery = ({ show: _, state: status, ...others }: OpsSearch) =>
  infiniteQueryOptions({
    queryKey: ['ops', 'deliveries', status, others],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...others,
        ...(status ? { status } : {}),
        limit: 50,
        ...(pageParam ? { cursor: pageParam } : {}),
      } as Wanted;
      return bodyOf(api.GET('/api/v1/operations/deliveries', { params: { query }, signal }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  });

export const quarantineQuery = infiniteQueryOptions({
  queryKey: ['ops', 'quarantine'],
  queryFn: ({ pageParam, signal }) => {
    const query = { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) };
    return bodyOf(api.GET('/api/v1/operations/quarantine', { params: { query }, signal }));
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_cursor }) => next_cursor,
});

const path = (delivery_id: string) => ({ params: { path: { delivery_id } } });

export const reveal = (id: string) => bodyOf(api.POST('/api/v1/operations/deliveries/{delivery_id}/reveal', path(id)));
export const redrive = (id: string) =>
  bodyOf(api.POST('/api/v1/operations/quarantine/{delivery_id}/redrive', path(id)));
export const discard = (id: string) =>
  bodyOf(api.POST('/api/v1/operations/quarantine/{delivery_id}/discard', path(id)));
