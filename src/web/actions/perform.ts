import { api, bodyOf } from '../api/client.ts';
import type { Action, Foresight, SchoolEvent } from '../api/types.ts';

/** What goes along with an action: a reason, new dates, an instant. */
export type Details = Record<string, unknown>;

type Query = { dry_run?: true; notify?: false };

type Done = SchoolEvent | Foresight | undefined;

async function ask(id: string, action: Action, details: Details, query: Query): Promise<Done> {
  const params = { path: { id }, query };
  if (action === 'delete') return bodyOf(api.DELETE('/api/v1/operations/events/{id}', { params }));
  if (action === 'edit') {
    const body = details as never;
    return bodyOf(api.PATCH('/api/v1/operations/events/{id}', { params, body }));
  }
  // Every other action is a route of its name; those that take no body ignore one.
  const url = `/api/v1/operations/events/{id}/${action}` as '/api/v1/operations/events/{id}/cancel';
  return bodyOf(api.POST(url, { params, body: details as never }));
}

/** What an action would come to; nothing changes. */
export const foresee = async (id: string, action: Action, details: Details): Promise<Foresight> =>
  (await ask(id, action, details, { dry_run: true })) as Foresight;

/** Does it; an edit may say that nobody is told. @returns the event after it, or undefined where it is gone */
export const perform = async (
  id: string,
  action: Action,
  details: Details,
  query: { notify?: false } = {},
): Promise<SchoolEvent | undefined> => (await ask(id, action, details, query)) as SchoolEvent | undefined;
