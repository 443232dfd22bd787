import { api, unwrap } from '../api/client.ts';
import { errorText } from '../api/problem.ts';
import { optionsQuery, queryClient } from '../api/queries.ts';
import type { Rostered } from '../api/types.ts';

export type RosterAction = Rostered['allowed_actions'][number];

const ONE = '/api/v1/operations/events/{id}/registrations/{rid}';

export type Outcome = {
  done: number;
  /** distinct errors of the others */
  faults: string[];
};

/** Performs an action on registrations one by one; an error does not stop the others. Cancels many at once in batches. */
export async function performAction(
  event_id: string,
  action: RosterAction,
  rows: readonly Rostered[],
  reason: string,
  onProgress: (done: number) => void = () => {},
): Promise<Outcome> {
  if (action === 'cancel' && rows.length > 1) return cancelMany(event_id, rows, reason, onProgress);
  const faults = new Set<string>();
  let done = 0;
  for (const { id: rid } of rows) {
    try {
      await performOne(event_id, rid, action, reason);
      done += 1;
      onProgress(done);
    } catch (error) {
      faults.add(errorText(error));
    }
  }
  return { done, faults: [...faults] };
}

async function performOne(id: string, rid: string, action: RosterAction, reason: string): Promise<unknown> {
  const params = { path: { id, rid } };
  const body = { reason: reason.trim() || null };
  switch (action) {
    case 'confirm':
      return unwrap(api.POST(`${ONE}/confirm`, { params }));
    case 'check_in':
      return unwrap(api.POST(`${ONE}/check_in`, { params }));
    case 'decline':
      return unwrap(api.POST(`${ONE}/decline`, { params, body }));
    case 'cancel':
      return unwrap(api.POST(`${ONE}/cancel`, { params, body }));
  }
}

async function cancelMany(
  id: string,
  rows: readonly Rostered[],
  reason: string,
  onProgress: (done: number) => void,
): Promise<Outcome> {
  const { limits } = await queryClient.fetchQuery(optionsQuery);
  const atOnce = limits.cancelled_at_once;
  let done = 0;
  for (let from = 0; from < rows.length; from += atOnce) {
    const registration_ids = rows.slice(from, from + atOnce).map((row) => row.id);
    const body = { registration_ids, reason: reason.trim() || null };
    try {
      const asked = api.POST('/api/v1/operations/events/{id}/registrations/cancel', { params: { path: { id } }, body });
      done += (await unwrap(asked)).cancelled;
      onProgress(done);
    } catch (error) {
      return { done, faults: [errorText(error)] };
    }
  }
  return { done, faults: [] };
}
