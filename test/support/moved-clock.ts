import type { Database } from '../../src/mongo/database.ts';

/**
 * The same database with another clock: both `database.clock` and `$$NOW` in queries return the time that the test has set.
 */
export function withMovedClock(database: Database, clock: { now(): Date }): Database {
  return {
    ...database,
    clock,
    collection: ((name: never) => {
      const real = database.collection<object>(name) as unknown as Record<string | symbol, unknown>;
      return new Proxy(real, {
        get(target, key) {
          const member = target[key];
          if (typeof member !== 'function') return member;
          // New documents name no moment.
          if (key === 'insertMany') return member.bind(target);
          return (...asked: unknown[]) =>
            member.apply(
              target,
              asked.map((part) => atMoment(part, clock.now())),
            );
        },
      });
    }) as never,
  };
}

function atMoment(part: unknown, now: Date): unknown {
  if (part === '$$NOW') return now;
  if (Array.isArray(part)) return part.map((one) => atMoment(one, now));
  if (part === null || typeof part !== 'object' || Object.getPrototypeOf(part) !== Object.prototype) return part;
  // `$currentDate` accepts no time, so it is replaced by a `$set`.
  const { $currentDate, ...rest } = part as Record<string, unknown>;
  const mapped = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, atMoment(value, now)]));
  if ($currentDate === undefined) return mapped;
  const set = Object.fromEntries(Object.keys($currentDate as object).map((key) => [key, now]));
  return { ...mapped, $set: { ...(mapped.$set as object), ...set } };
}
