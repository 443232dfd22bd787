import { api, unwrap } from '../../api/client.ts';
import type { PeopleQuery } from '../../api/types.ts';

/** What a report is about: an event, or a message of the school. */
export type Subject = { kind: 'event' | 'message'; id: string };
/** `updated_at`: when messages about it last began. */
export type Reported = Subject & { updated_at: string };

const EVENT = '/api/v1/operations/events/{id}';

/** The address of what belongs to an event or a message. The API answers both alike, so the types are those of events. */
export const pathTo = <Path extends string>({ kind }: Subject, path: Path) =>
  (kind === 'event'
    ? `${EVENT}/${path}`
    : `/api/v1/operations/messages/{message_id}/${path}`) as `${typeof EVENT}/${Path}`;

/** The parameters of such an address. */
export const idOf = ({ id }: Subject) => ({ id, message_id: id });

/** The people with messages. */
export const loadPeople = (about: Subject, query: PeopleQuery, signal: AbortSignal) =>
  unwrap(api.GET(pathTo(about, 'deliveries/people'), { params: { path: idOf(about), query }, signal }));

/** The messages by trigger, channel and result. */
export const loadSummary = (about: Subject, signal: AbortSignal) =>
  unwrap(api.GET(pathTo(about, 'deliveries/summary'), { params: { path: idOf(about) }, signal }));

/** Every decision about one person. */
export const loadWhy = (about: Subject, user_id: string, signal: AbortSignal) =>
  unwrap(api.GET(pathTo(about, 'deliveries'), { params: { path: idOf(about), query: { user_id } }, signal }));

/** What people answered to text messages. */
export const loadAnswers = (
  about: Subject,
  query: { limit: number; cursor: string | undefined },
  signal: AbortSignal,
) => unwrap(api.GET(pathTo(about, 'answers'), { params: { path: idOf(about), query }, signal }));
