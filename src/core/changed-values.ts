import { isDeepStrictEqual } from 'node:util';

/** The fields of `after` whose values differ from those of `before`. */
export const changedValues = <T extends object>(before: T, after: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name as keyof T])),
  ) as Partial<T>;
