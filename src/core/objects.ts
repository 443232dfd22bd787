/** An object with one value for each key. */
export const fromKeys = <K extends string, Value>(keys: readonly K[], make: (key: K) => Value): Record<K, Value> =>
  Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, Value>;

/** Some fields of an object. */
export const pick = <T extends object, K extends keyof T & string>(object: T, keys: readonly K[]): Pick<T, K> =>
  fromKeys(keys, (key) => object[key]) as Pick<T, K>;
