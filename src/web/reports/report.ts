import { getQuery, listQuery } from '../api/queries.ts';
import type { paths, QueryOf } from '../api/types.ts';

/** What a report is about: an event, or a message of the school. */
export type Subject = { kind: 'event' | 'message'; id: string };
/** `updated_at`: when messages about it last began. */
export type Reported = Subject & { updated_at: string };

type OfEvent<Part extends string> = `/api/v1/operations/events/{id}/${Part}`;
/** The API has the same addresses below an event and a message, and answers both alike, so the types are those of events. */
type Part = { [P in keyof paths]: P extends OfEvent<infer Rest> ? Rest : never }[keyof paths];

/** The address of what belongs to an event or a message. */
export const pathTo = <P extends Part>({ kind }: Subject, part: P) =>
  `/api/v1/operations/${kind === 'event' ? 'events/{id}' : 'messages/{message_id}'}/${part}` as OfEvent<P>;

/** The parameters of such an address. */
export const idOf = ({ id }: Subject) => ({ id, message_id: id });

export const reportQuery = <P extends Part>(about: Subject, part: P, query?: QueryOf<OfEvent<P>>) =>
  getQuery([about.kind, about.id, part, query], pathTo(about, part), { path: idOf(about), query } as never);

/** The first parts of the keys of a list, whatever its query. */
export const listKey = ({ kind, id }: Subject, part: Part) => [kind, id, part, 'list'];

export const reportList = <P extends Part>(about: Subject, part: P, query: QueryOf<OfEvent<P>>) =>
  listQuery([...listKey(about, part), query], pathTo(about, part), { path: idOf(about), query } as never);
