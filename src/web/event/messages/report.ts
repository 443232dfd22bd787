import { api, unwrap } from '../../api/client.ts';
import type { PeopleQuery } from '../../api/types.ts';

/** What a report is about: an event, or a message of the school. `updated_at`: when messages about it last began. */
export type Reported = { kind: 'event' | 'message'; id: string; updated_at: string };

type About = Pick<Reported, 'kind' | 'id'>;

const EVENT = '/api/v1/operations/events/{id}';
const MESSAGE = '/api/v1/operations/messages/{message_id}';

/** The people with messages. */
export const loadPeople = ({ kind, id }: About, query: PeopleQuery, signal: AbortSignal) =>
  unwrap(
    kind === 'event'
      ? api.GET(`${EVENT}/deliveries/people`, { params: { path: { id }, query }, signal })
      : api.GET(`${MESSAGE}/deliveries/people`, { params: { path: { message_id: id }, query }, signal }),
  );

/** The messages by trigger, channel and result. */
export const loadSummary = ({ kind, id }: About, signal: AbortSignal) =>
  unwrap(
    kind === 'event'
      ? api.GET(`${EVENT}/deliveries/summary`, { params: { path: { id } }, signal })
      : api.GET(`${MESSAGE}/deliveries/summary`, { params: { path: { message_id: id } }, signal }),
  );

/** Every decision about one person. */
export const loadWhy = ({ kind, id }: About, user_id: string, signal: AbortSignal) =>
  unwrap(
    kind === 'event'
      ? api.GET(`${EVENT}/deliveries`, { params: { path: { id }, query: { user_id } }, signal })
      : api.GET(`${MESSAGE}/deliveries`, { params: { path: { message_id: id }, query: { user_id } }, signal }),
  );

/** What people answered to text messages. */
export const loadAnswers = (
  { kind, id }: About,
  query: { limit: number; cursor: string | undefined },
  signal: AbortSignal,
) =>
  unwrap(
    kind === 'event'
      ? api.GET(`${EVENT}/answers`, { params: { path: { id }, query }, signal })
      : api.GET(`${MESSAGE}/answers`, { params: { path: { message_id: id }, query }, signal }),
  );
