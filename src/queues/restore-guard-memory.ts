import { type DatabaseAge, parseAge, serializeAge } from '../core/restore-guard.ts';
import { isReady, producerConnection, type QueueSettings, within } from './connection.ts';

const ANSWER_MS = 2_000;

/** The database age that Redis remembers. An empty Redis remembers none and halts no worker. */
export function restoreGuardMemory(settings: QueueSettings) {
  const redis = producerConnection(settings);
  const key = `${settings.prefix}:epoch`;
  const ask = <T>(question: () => Promise<T>) => within(ANSWER_MS, isReady(redis).then(question));
  return {
    /** @throws if Redis does not answer */
    read: async (): Promise<DatabaseAge | null> => parseAge(await ask(() => redis.get(key))),
    write: (age: DatabaseAge): Promise<unknown> => ask(() => redis.set(key, serializeAge(age))),
    close: async (): Promise<void> => redis.disconnect(),
  };
}
