import { api, unwrap } from '../api/client.ts';
import type { Action, DryRun, SchoolEvent } from '../api/types.ts';

/** Fields of an action's request: a reason or new dates. */
export type Details = Record<string, unknown>;

type Query = { dry_run?: true; notify?: false };

type Result = SchoolEvent | DryRun | undefined;

async function send(id: string, action: Action, details: Details, query: Query): Promise<Result> {
  const params = { path: { id }, query };
  if (action === 'delete') return unwrap(api.DELETE('/api/v1/operations/events/{id}', { params }));
  if (action === 'edit') {
    const body = details as never;
    return unwrap(api.PATCH('/api/v1/operations/events/{id}', { params, body }));
  }
  // Every other action is a route of that name; routes without a body ignore one.
  const url = `/api/v1/operations/events/{id}/${action}` as '/api/v1/operations/events/{id}/cancel';
  return unwrap(api.POST(url, { params, body: details as never }));
}

/** Previews an action; changes nothing. */
export const dryRun = async (id: string, action: Action, details: Details): Promise<DryRun> =>
  (await send(id, action, details, { dry_run: true })) as DryRun;

/** Performs an action; an edit may turn its notifications off. @returns the changed event, undefined once deleted */
export const perform = async (
  id: string,
  action: Action,
  details: Details,
  query: { notify?: false } = {},
): Promise<SchoolEvent | undefined> => (await send(id, action, details, query)) as SchoolEvent | undefined;
