import { api, unwrap } from '../api/client.ts';
import type { Action, DryRun, SchoolEvent } from '../api/types.ts';
import type { Scope } from '../event-parts/scope-choice.tsx';
import { holdOf } from './undo.ts';

/** Actions with a red button. */
export const DANGEROUS: readonly Action[] = ['cancel', 'delete'];

/** Fields of an action's request: a reason or new dates. */
export type Details = Record<string, unknown>;

type Query = { dry_run?: true; notify?: false; scope?: Scope | undefined; hold_seconds?: number };

async function send(id: string, action: Action, body: Details, query: Query): Promise<unknown> {
  const params = { path: { id }, query };
  if (action === 'delete') return unwrap(api.DELETE('/api/v1/operations/events/{id}', { params }));
  if (action === 'edit') return unwrap(api.PATCH('/api/v1/operations/events/{id}', { params, body: body as never }));
  // Every other action is a route of that name; routes without a body ignore one.
  const url = `/api/v1/operations/events/{id}/${action}` as '/api/v1/operations/events/{id}/cancel';
  return unwrap(api.POST(url, { params, body: body as never }));
}

/** Previews an action; changes nothing. */
export const dryRun = (id: string, action: Action, details: Details, query: Query = {}): Promise<DryRun> =>
  send(id, action, details, { ...query, dry_run: true }) as Promise<DryRun>;

/** Performs an action; an edit may turn its notifications off. @returns the changed event; of a deleted one only `undo` */
export const perform = (
  id: string,
  action: Action,
  details: Details,
  query: Query = {},
): Promise<Partial<SchoolEvent>> =>
  send(id, action, details, { ...query, ...holdOf(action) }) as Promise<Partial<SchoolEvent>>;
