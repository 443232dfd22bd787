import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { producerConnection, type QueueSettings, within } from './connection.ts';

// Urgent calls may overdraw the bucket and wait out the debt, so they never queue behind bulk. Bulk calls take tokens only
// when enough are available (a full bucket at most) and retry otherwise. Uses the clock of Redis, which may step back when
// another server takes over.
const ACQUIRE = `
local t = redis.call('TIME')
local ms = t[1] * 1000 + math.floor(t[2] / 1000)
local rate, count, urgent = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3] == '1'
local state = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local most = math.max(1, rate)
local tokens = math.min(most, (tonumber(state[1]) or most) + math.max(0, ms - (tonumber(state[2]) or ms)) * rate / 1000)
local lacking = math.min(count, most) - tokens
local granted = (urgent or lacking <= 0) and 1 or 0
local wait = lacking
if granted == 1 then
  tokens = tokens - count
  wait = urgent and -tokens or 0
end
redis.call('HSET', KEYS[1], 'tokens', tokens, 'at', ms)
redis.call('PEXPIRE', KEYS[1], 3600000)
return { math.max(0, math.ceil(wait * 1000 / rate)), granted }
`;

const AWAY_MS = 500;
const ANSWER_WITHIN_MS = 2_000;

/**
 * A token bucket that all processes of a channel share, with bursts of one second. While Redis is unreachable nothing is sent,
 * because the limit is a promise to a provider.
 * @param name the channel
 * @param perSecond messages a second
 */
export function rateLimiter(settings: QueueSettings, name: string, perSecond: number) {
  const closing = new AbortController();
  // Every waiting call listens, which is more than Node expects.
  setMaxListeners(0, closing.signal);
  const connection: Redis = producerConnection(settings);
  const key = `${settings.prefix}:rate:${name}`;
  const ask = (count: number, urgent: boolean) =>
    within(ANSWER_WITHIN_MS, connection.eval(ACQUIRE, 1, key, perSecond, count, urgent ? 1 : 0)) as Promise<Answer>;

  return {
    /** Waits until `count` messages may be sent; urgent calls go first. @returns false if the limiter was closed meanwhile */
    async acquire(count: number, urgent: boolean): Promise<boolean> {
      while (!closing.signal.aborted) {
        const [waitMs, granted] = await ask(count, urgent).catch((): Answer => [AWAY_MS, 0]);
        if (waitMs > 0) await delay(waitMs, undefined, { signal: closing.signal }).catch(() => {});
        if (granted === 1) return !closing.signal.aborted;
      }
      return false;
    },
    /** Ends all waiting calls. */
    async close() {
      closing.abort();
      connection.disconnect();
    },
  };
}

type Answer = [waitMs: number, granted: 0 | 1];
