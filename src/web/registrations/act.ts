import { api, unwrap } from '../api/client.ts';
import { errorText } from '../api/problem.ts';
import { optionsQuery, queryClient } from '../api/queries.ts';
import type { ListedRegistration } from '../api/types.ts';

export type RegistrationAction = ListedRegistration['allowed_actions'][number];

/** Whether an action ends a registration; it takes a reason. */
export const isEnd = (action: RegistrationAction): action is 'cancel' | 'decline' =>
  action === 'cancel' || action === 'decline';

/** The actions that a registration allows; only one that awaits confirmation is declined, others are cancelled. */
export const actionsOf = ({ allowed_actions: allowed }: ListedRegistration): RegistrationAction[] =>
  allowed.filter((action) => action !== 'decline' || allowed.includes('confirm'));

export const rowsFor = (action: RegistrationAction, rows: readonly ListedRegistration[]): ListedRegistration[] =>
  rows.filter((row) => actionsOf(row).includes(action));

const ALL = '/api/v1/operations/events/{id}/registrations';

/**
 * Performs an action on registrations one by one; an error does not stop the others. Cancels many in batches.
 * @returns how many are done, and the distinct errors of the others
 */
export async function performAction(
  id: string,
  action: RegistrationAction,
  rows: readonly ListedRegistration[],
  reason: string,
) {
  const body = { reason: reason.trim() || null };
  if (action === 'cancel' && rows.length > 1) return cancelMany(id, rows, body);
  // Every action is a route of that name.
  const url = `${ALL}/{rid}/${action}` as `${typeof ALL}/{rid}/cancel`;
  const faults: string[] = [];
  for (const { id: rid } of rows) {
    const asked = api.POST(url, { params: { path: { id, rid } }, body: isEnd(action) ? body : (undefined as never) });
    await unwrap(asked).catch((error: unknown) => faults.push(errorText(error)));
  }
  return { done: rows.length - faults.length, faults: [...new Set(faults)] };
}

async function cancelMany(id: string, rows: readonly ListedRegistration[], body: { reason: string | null }) {
  const { limits } = await queryClient.fetchQuery(optionsQuery);
  const atOnce = limits.cancelled_at_once;
  let done = 0;
  try {
    for (let from = 0; from < rows.length; from += atOnce) {
      const registration_ids = rows.slice(from, from + atOnce).map((row) => row.id);
      const asked = api.POST(`${ALL}/cancel`, { params: { path: { id } }, body: { ...body, registration_ids } });
      done += (await unwrap(asked)).cancelled;
    }
    return { done, faults: [] };
  } catch (error) {
    return { done, faults: [errorText(error)] };
  }
}
