import { api, unwrap } from '../../api/client.ts';
import { getQuery } from '../../api/queries.ts';
import type { BodyOf, Registration, ResponseOf } from '../../api/types.ts';

const MINE = '/api/v1/operations/events/{id}/registrations/mine';
export type Own = ResponseOf<typeof MINE>;
export type OwnRow = Own['data'][number];

/** Active registrations of the user and their children, and the status that a new one would get. */
export const ownQuery = (id: string) =>
  getQuery(
    ['event', id, 'mine'],
    MINE,
    { path: { id } },
    { select: (own): Own => ({ ...own, data: own.data.filter(({ status }) => status !== 'cancelled') }) },
  );

const FAMILY = '/api/v1/operations/events/{id}/registrations/family';
type SignUp = BodyOf<typeof FAMILY>;
export type FamilyResult = ResponseOf<typeof FAMILY, 'post', 201>['data'][number];

/** Registers a family, or one person. Without `waitlist`, those who get no place are refused with `event_full`. */
export async function signUp(id: string, body: SignUp): Promise<FamilyResult[]> {
  return (await unwrap(api.POST(FAMILY, { params: { path: { id } }, body }))).data;
}

const ONE = '/api/v1/operations/events/{id}/registrations/{rid}';
const at = ({ event_id, id }: OwnRow) => ({ path: { id: event_id, rid: id } });

/** Changes the answers of a registration. */
export const saveAnswers = (row: OwnRow, answers: SignUp['people'][number]['answers']) =>
  unwrap(api.PATCH(ONE, { params: at(row), body: { answers } }));

/** Chooses other meetings for a registration. */
export const changeSlots = (row: OwnRow, slots: Registration['slots']) =>
  unwrap(api.PUT(`${ONE}/slots`, { params: at(row), body: { slots } }));

export const leave = (row: OwnRow) => unwrap(api.POST(`${ONE}/cancel`, { params: at(row), body: {} }));

/** Checks in the person of a registration with the code shown at the door. */
export function checkIn({ event_id, user_id }: OwnRow, code: string): Promise<Registration> {
  const params = { path: { id: event_id } };
  return unwrap(api.POST('/api/v1/operations/events/{id}/check_in', { params, body: { code, user_id } }));
}
