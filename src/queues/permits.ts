import { producerConnection, type QueueSettings, within } from './connection.ts';

/** Messages that may leave: a token bucket shared by all processes of one channel. */
export type Permits = { take(count: number): Promise<void>; close(): Promise<void> };

export const unlimited: Permits = { take: async () => {}, close: async () => {} };

// Takes `count` tokens even where it goes below zero and answers how long to wait for that: first come, first served,
// without polling. The clock is Redis's own.
const TAKE = `
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
local rate, count = tonumber(ARGV[1]), tonumber(ARGV[2])
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local tokens = math.min(rate, (tonumber(state[1]) or rate) + (ms - (tonumber(state[2]) or ms)) * rate / 1000) - count
redis.call('HSET', KEYS[1], 'tokens', tokens, 'at', ms)
redis.call('PEXPIRE', KEYS[1], 600000)
return tokens >= 0 and 0 or math.ceil(-tokens * 1000 / rate)
`;

const AWAY_MS = 500;

/**
 * At most `perSecond` messages a second over all processes, bursts of one second allowed. While Redis is away nothing
 * leaves: the rate is a promise to a provider.
 */
export function sharedPermits(settings: QueueSettings, name: string, perSecond: number): Permits {
  const connection = producerConnection(settings);
  const key = `${settings.prefix}:permits:${name}`;
  return {
    async take(count) {
      for (;;) {
        const wait = await within(2_000, connection.eval(TAKE, 1, key, perSecond, count)).catch(() => null);
        await new Promise((resolve) => setTimeout(resolve, wait === null ? AWAY_MS : Number(wait)));
        if (wait !== null) return;
      }
    },
    async close() {
      connection.disconnect();
    },
  };
}
