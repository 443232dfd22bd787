import { isDeepStrictEqual } from 'node:util';

/** An object with one value for each key. */
export const fromKeys = <K extends string, Value>(keys: readonly K[], make: (key: K) => Value): Record<K, Value> =>
  Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, Value>;

/** Some fields of an object. */
export const pick = <T extends object, K extends keyof T & string>(object: T, keys: readonly K[]): Pick<T, K> =>
  fromKeys(keys, (key) => object[key]) as Pick<T, K>;

/** The fields of `after` whose values differ from those of `before`. */
export const changedValues = <T extends object>(before: T, after: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(value, before[name as keyof T])),
  ) as Partial<T>;

/** Whether a value of a JSON text, or a record, is an object with members. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** The members of the object that a JSON text holds; none if it holds no object. Never throws. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** A JSON text that is equal for equal values, independent of the order of members. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  ) ?? '';
