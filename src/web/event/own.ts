import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client.ts';
import type { paths, Registration } from '../api/types.ts';

const MINE = '/api/v1/operations/events/{id}/registrations/mine';
export type Own = paths[typeof MINE]['get']['responses'][200]['content']['application/json'];
export type OwnRow = Own['data'][number];

/** One's own registrations and those of one's children, and what a new one would come to. */
export const ownQuery = (id: string) =>
  queryOptions({
    queryKey: ['event', id, 'mine'],
    queryFn: ({ signal }) => bodyOf(api.GET(MINE, { params: { path: { id } }, signal })),
  });

export type SignUp = { kind: Registration['kind']; notes: string; user_id: string; waitlist: boolean };

/** Signs somebody up: for a seat alone, or with `waitlist` for a place on the waitlist too. */
export function signUp(id: string, { kind, notes, user_id, waitlist }: SignUp): Promise<Registration> {
  const body = { kind, user_id, waitlist, ...(notes.trim() ? { notes: notes.trim() } : {}) };
  return bodyOf(api.POST('/api/v1/operations/events/{id}/registrations', { params: { path: { id } }, body }));
}

export function leave({ event_id, id }: Pick<Registration, 'event_id' | 'id'>): Promise<Registration> {
  const params = { path: { id: event_id, rid: id } };
  return bodyOf(api.POST('/api/v1/operations/events/{id}/registrations/{rid}/cancel', { params, body: {} }));
}
