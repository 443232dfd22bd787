import { type Epoch, readEpoch, writeEpoch } from '../kernel/epoch.ts';
import { isReady, producerConnection, type QueueSettings, within } from './connection.ts';

const ANSWER_MS = 2_000;

/** What Redis remembers of the database. An empty Redis remembers nothing, and holds nobody up. */
export function epochMemory(settings: QueueSettings) {
  const redis = producerConnection(settings);
  const key = `${settings.prefix}:epoch`;
  const asked = <T>(question: () => Promise<T>) => within(ANSWER_MS, isReady(redis).then(question));
  return {
    /** @throws where Redis can't be asked */
    read: async (): Promise<Epoch | null> => readEpoch(await asked(() => redis.get(key))),
    write: (epoch: Epoch): Promise<unknown> => asked(() => redis.set(key, writeEpoch(epoch))),
    close: async (): Promise<void> => redis.disconnect(),
  };
}
