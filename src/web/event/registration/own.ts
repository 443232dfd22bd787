import { queryOptions } from '@tanstack/react-query';
import { api, unwrap } from '../../api/client.ts';
import type { paths, Registration } from '../../api/types.ts';

const MINE = '/api/v1/operations/events/{id}/registrations/mine';
export type Own = paths[typeof MINE]['get']['responses'][200]['content']['application/json'];
export type OwnRow = Own['data'][number];

/** Active registrations of the user and their children, and the status that a new one would get. */
export const ownQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'mine'],
    queryFn: async ({ signal }): Promise<Own> => {
      const own = await unwrap(api.GET(MINE, { params: { path: { id } }, signal }));
      return { ...own, data: own.data.filter(({ status }) => status !== 'cancelled') };
    },
  });

export type SignUp = { kind: Registration['kind']; notes: string; user_id: string; waitlist: boolean };

/** Registers a person. With `waitlist`, joins the waitlist if the event is full; otherwise fails with `event_full`. */
export function signUp(id: string, { kind, notes, user_id, waitlist }: SignUp): Promise<Registration> {
  const body = { kind, user_id, waitlist, ...(notes.trim() ? { notes: notes.trim() } : {}) };
  return unwrap(api.POST('/api/v1/operations/events/{id}/registrations', { params: { path: { id } }, body }));
}

/** Checks in the person of a registration with the code shown at the door. */
export function checkIn({ event_id, user_id }: OwnRow, code: string): Promise<Registration> {
  const body = { code: code.replace(/\D/g, ''), user_id };
  return unwrap(api.POST('/api/v1/operations/events/{id}/check_in', { params: { path: { id: event_id } }, body }));
}

export function leave({ event_id, id }: Pick<Registration, 'event_id' | 'id'>): Promise<Registration> {
  const params = { path: { id: event_id, rid: id } };
  return unwrap(api.POST('/api/v1/operations/events/{id}/registrations/{rid}/cancel', { params, body: {} }));
}
