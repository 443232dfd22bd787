import type { Redis } from 'ioredis';
import { producerConnection, type QueueSettings, within } from './connection.ts';

/** Messages that may leave: a token bucket shared by all processes of one channel, which providers can slow down. */
export type Permits = {
  /**
   * Waits until so many may leave; what is urgent goes before all that waits. @returns false where it was closed
   * meanwhile: none may
   */
  take(count: number, urgent: boolean): Promise<boolean>;
  /**
   * A provider said "slow down": every process leaves it alone for so long, and the bucket is slowed by `share` of a half;
   * the rate doubles every minute until it is what it was.
   */
  slow(provider: string, forMs: number, share: number): Promise<void>;
  /** Ends every wait. */
  close(): Promise<void>;
};

export type PermitOptions = {
  settings: QueueSettings;
  /** of the bucket: the channel */
  name: string;
  /** null: as fast as it goes, until a provider says otherwise */
  perSecond: number | null;
  /** Told with the answer to `take`: providers that some process was asked to leave alone. */
  onRest?(provider: string, forMs: number): void;
};

const DOUBLES_IN_MS = 60_000;
/** A rate is slowed at most this often: many answers to what was under way together are one. */
const SLOWED_EVERY_MS = 1_000;
const LEAST_FACTOR = 1 / 64;
/** How far above the rate at which it was slowed a bucket without a rate grows before it is none again. */
const FREE_FACTOR = 64;

// What both scripts know: the time (Redis's own), and how much the bucket is slowed now. `seen` is how many left in this
// second and the one before: what a bucket without a rate is slowed from.
const SHARED = `
local t = redis.call('TIME')
local ms = t[1] * 1000 + math.floor(t[2] / 1000)
local bucket, rests = KEYS[1], KEYS[2]
local rate = tonumber(ARGV[1])
local state = redis.call('HMGET', bucket, 'tokens', 'at', 'factor', 'slowed_at', 'base', 'second', 'seen', 'before')
local factor = tonumber(state[3])
if factor then
  factor = factor * 2 ^ ((ms - tonumber(state[4])) / ${DOUBLES_IN_MS})
  if factor >= (rate > 0 and 1 or ${FREE_FACTOR}) then
    factor = nil
    redis.call('HDEL', bucket, 'factor', 'slowed_at', 'base')
  end
end
local second = math.floor(ms / 1000)
local seen, before = 0, 0
if state[6] then
  local ago = second - tonumber(state[6])
  if ago == 0 then seen, before = tonumber(state[7]), tonumber(state[8]) elseif ago == 1 then before = tonumber(state[7]) end
end
`;

// What is urgent takes its tokens even where that goes below zero, and is answered how long to wait for it: first come,
// first served. Bulk takes none before they are there (all that fit, where it wants more), and asks again: so nothing
// urgent ever waits for what bulk took in advance.
const TAKE = `${SHARED}
local count, urgent = tonumber(ARGV[2]), ARGV[3] == '1'
local told = redis.call('HGETALL', rests)
local answer = { 0, 1 }
for i = 1, #told, 2 do
  local left = tonumber(told[i + 1]) - ms
  if left > 0 then answer[#answer + 1] = told[i]; answer[#answer + 1] = left else redis.call('HDEL', rests, told[i]) end
end
if rate > 0 or factor then
  local speed = (rate > 0 and rate or tonumber(state[5])) * (factor or 1)
  local most = math.max(1, speed)
  local tokens = math.min(most, (tonumber(state[1]) or most) + (ms - (tonumber(state[2]) or ms)) * speed / 1000)
  local lacking = math.min(count, most) - tokens
  if urgent or lacking <= 0 then tokens = tokens - count else answer[2] = 0 end
  redis.call('HSET', bucket, 'tokens', tokens, 'at', ms)
  if urgent and tokens < 0 then answer[1] = math.ceil(-tokens * 1000 / speed) end
  if answer[2] == 0 then answer[1] = math.ceil(lacking * 1000 / speed); count = 0 end
end
redis.call('HSET', bucket, 'second', second, 'seen', seen + count, 'before', before)
redis.call('PEXPIRE', bucket, 3600000)
return answer
`;

const SLOW = `${SHARED}
local provider, restMs, keep = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local known = tonumber(redis.call('HGET', rests, provider) or 0)
redis.call('HSET', rests, provider, math.max(known, ms + restMs))
redis.call('PEXPIRE', rests, 90000000)
if keep < 1 and not (factor and ms - tonumber(state[4]) < ${SLOWED_EVERY_MS}) then
  local base = tonumber(state[5]) or math.max(seen, before, 1)
  redis.call('HSET', bucket, 'base', base, 'factor', math.max(${LEAST_FACTOR}, (factor or 1) * keep), 'slowed_at', ms, 'tokens', 0, 'at', ms)
  redis.call('PEXPIRE', bucket, 3600000)
end
return 0
`;

const AWAY_MS = 500;
const ANSWER_WITHIN_MS = 2_000;

/**
 * At most `perSecond` messages a second over all processes, bursts of one second allowed. While Redis is away a rate lets
 * nothing leave, since it is a promise to a provider; without one messages go on, and each process keeps to what it was
 * told itself.
 */
export function sharedPermits({ settings, name, perSecond, onRest = () => {} }: PermitOptions): Permits {
  const connection: Redis = producerConnection(settings);
  const keys = [`${settings.prefix}:permits:${name}`, `${settings.prefix}:rests:${name}`];
  const rate = perSecond ?? 0;
  const closing = new AbortController();

  const run = (script: string, ...args: (string | number)[]) =>
    within(ANSWER_WITHIN_MS, connection.eval(script, keys.length, ...keys, rate, ...args));

  return {
    async take(count, urgent) {
      while (!closing.signal.aborted) {
        const answer = (await run(TAKE, count, urgent ? 1 : 0).catch(() => null)) as Answer | null;
        if (answer) {
          const [wait, granted, ...rests] = answer;
          for (let i = 0; i < rests.length; i += 2) onRest(String(rests[i]), Number(rests[i + 1]));
          if (wait > 0) await pause(wait, closing.signal);
          if (granted === 0) continue;
        } else if (perSecond !== null) {
          await pause(AWAY_MS, closing.signal);
        }
        if (answer || perSecond === null) return !closing.signal.aborted;
      }
      return false;
    },
    async slow(provider, forMs, share) {
      await run(SLOW, provider, Math.round(forMs), 1 - share / 2).catch(() => {});
    },
    async close() {
      closing.abort();
      connection.disconnect();
    },
  };
}

type Answer = [wait: number, granted: 0 | 1, ...rests: (string | number)[]];

/** Ends early where the signal comes. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
