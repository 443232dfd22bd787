import type { Redis } from 'ioredis';

/** Places in the line of one kind of work; BullMQ's priorities end at 2^21. */
const SPAN = 1_000_000;

/** `early`: what people wait for; `late`: behind all of it. */
export type Line = 'early' | 'late';
const BASE: Readonly<Record<Line, number>> = { early: 0, late: SPAN };

// Each tenant stands in line behind its own jobs and beside those of the others: its next place is one after its last, or
// that of the job now in front. Places are priorities, and a priority is the upper part of BullMQ's score. Where nobody
// is in line the places begin anew.
const PLACES = `
local base, span = tonumber(ARGV[1]), tonumber(ARGV[2])
local unit = 4294967296
local low, high = string.format('%.0f', base * unit), string.format('(%.0f', (base + span) * unit)
local front = redis.call('ZRANGEBYSCORE', KEYS[1], low, high, 'WITHSCORES', 'LIMIT', 0, 1)
local now = 1
if front[2] then now = math.max(1, math.floor(tonumber(front[2]) / unit) - base) else redis.call('DEL', KEYS[2]) end
local places = {}
for i = 3, #ARGV do
  local place = math.min(span - 1, math.max(now, tonumber(redis.call('HGET', KEYS[2], ARGV[i]) or '0')))
  redis.call('HSET', KEYS[2], ARGV[i], place + 1)
  places[#places + 1] = base + place
end
redis.call('PEXPIRE', KEYS[2], 3600000)
return places
`;

/**
 * A tenant's turn: the priorities for jobs of these tenants on a lane, in the order asked for. Whoever has many jobs
 * waiting gets one done for each of every other tenant.
 * @param key of the lane, as BullMQ names it
 */
export async function placesOn(
  redis: Redis,
  key: string,
  tenants: readonly string[],
  line: Line = 'early',
): Promise<number[]> {
  if (tenants.length === 0) return [];
  const keys = [`${key}:prioritized`, `${key}:turns:${line}`];
  return (await redis.eval(PLACES, keys.length, ...keys, BASE[line], SPAN, ...tenants)) as number[];
}
