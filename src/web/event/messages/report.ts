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
