import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { AcknowledgedQuery } from '../api/types.ts';
import type { Reported } from '../event/messages/report.ts';

export type Subject = Pick<Reported, 'kind' | 'id'>;

const OWN = '/api/v1/me/acknowledgements/{event_id}';

/** Whether the user still has to confirm an event or message. */
export const ownQuery = (event_id: string) =>
  queryOptions({
    queryKey: ['acknowledgement', event_id],
    queryFn: ({ signal }) => unwrap(api.GET(OWN, { params: { path: { event_id } }, signal })),
  });

/** Confirms that the user has read it. */
export async function acknowledge(event_id: string): Promise<void> {
  await unwrap(api.POST(OWN, { params: { path: { event_id } } }));
  await Promise.all(['inbox', 'acknowledgement'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
}

/** Reminds everyone who has not confirmed. */
export async function remind({ kind, id }: Subject): Promise<void> {
  await unwrap(
    kind === 'event'
      ? api.POST('/api/v1/operations/events/{id}/acknowledgements/remind', { params: { path: { id } } })
      : api.POST('/api/v1/operations/messages/{message_id}/acknowledgements/remind', {
          params: { path: { message_id: id } },
        }),
  );
}

/** The people who have not confirmed, with their phone numbers. */
export const callListQuery = ({ kind, id }: Subject) =>
  queryOptions({
    queryKey: [kind, id, 'acknowledgements', 'calls'],
    queryFn: ({ signal }) =>
      unwrap(
        kind === 'event'
          ? api.GET('/api/v1/operations/events/{id}/call_list', { params: { path: { id } }, signal })
          : api.GET('/api/v1/operations/messages/{message_id}/call_list', {
              params: { path: { message_id: id } },
              signal,
            }),
      ),
  });

/** The title of an event, or the subject of a message. */
export const titleQuery = ({ kind, id }: Subject) =>
  queryOptions({
    queryKey: [kind, id, 'title'],
    queryFn: async ({ signal }) =>
      kind === 'event'
        ? (await unwrap(api.GET('/api/v1/operations/events/{id}', { params: { path: { id } }, signal }))).title
        : (
            await unwrap(
              api.GET('/api/v1/operations/messages/{message_id}', { params: { path: { message_id: id } }, signal }),
            )
          ).subject,
  });

/** Records that a person of the call list was reached. */
export async function recordCall({ kind, id }: Subject, user_id: string, note: string | null): Promise<void> {
  const body = { note };
  await unwrap(
    kind === 'event'
      ? api.POST('/api/v1/operations/events/{id}/call_list/{user_id}/reached', {
          params: { path: { id, user_id } },
          body,
        })
      : api.POST('/api/v1/operations/messages/{message_id}/call_list/{user_id}/reached', {
          params: { path: { message_id: id, user_id } },
          body,
        }),
  );
  await queryClient.invalidateQueries({ queryKey: [kind, id, 'acknowledgements'] });
}

/** Who has confirmed, and who has not. */
export const loadAcknowledged = ({ kind, id }: Subject, query: AcknowledgedQuery, signal: AbortSignal) =>
  unwrap(
    kind === 'event'
      ? api.GET('/api/v1/operations/events/{id}/acknowledgements', { params: { path: { id }, query }, signal })
      : api.GET('/api/v1/operations/messages/{message_id}/acknowledgements', {
          params: { path: { message_id: id }, query },
          signal,
        }),
  );
