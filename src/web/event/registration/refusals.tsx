import { ApiError } from '../../api/problem.ts';
import { t, word } from '../../texts/texts.ts';
import type { FamilyResult } from './own.ts';

/** A member of a family; `name` null: the user. */
export type Person = { user_id: string; name: string | null };

/** The name of a member of the family, for whom the user registers. */
export const nameOf = ({ name }: Person): string => name ?? t('register.me');

/** The people of a family who could not be registered, each with the reason. */
export const Refused = ({ results, people }: { results: readonly FamilyResult[]; people: readonly Person[] }) => (
  <ul role="alert" className="text-sm font-medium text-bad">
    {results.map(({ user_id, code }) => {
      const person = people.find((one) => one.user_id === user_id);
      return person && <li key={user_id}>{`${nameOf(person)}: ${word('problem', code ?? '')}`}</li>;
    })}
  </ul>
);

/** The text for a family that did not fit together although places are free. */
function tooFewPlaces(error: unknown): string | null {
  const count = error instanceof ApiError && error.code === 'event_full' ? error.problem.available_spots : null;
  return typeof count === 'number' && count > 0 ? t('register.onlyFree', { count }) : null;
}

/** Why a family can't be registered: registration has `closed` meanwhile, too few places are free, or another reason. */
export const failureOf = (closed: string | null, error: unknown): unknown => closed ?? tooFewPlaces(error) ?? error;

/** Whether the last place was taken meanwhile, and a waitlist is open. */
export const isJustFull = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 'event_full' &&
  error.problem.waitlist_enabled === true &&
  error.problem.available_spots === 0;
