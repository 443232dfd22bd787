import rateLimiter from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { Refused } from '../core/errors.ts';
import { scopeKey } from '../people/caller.ts';

/** Callers and addresses remembered at most. */
const KEPT = 100_000;

/** Tries of a caller in a minute at routes that take a short code. */
const TRIES = 10;

type Count = ReturnType<FastifyInstance['createRateLimit']>;

/** Counts a request of a caller, or of an address if there is no caller, and says in headers how many are left. */
export type RateLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Allows each caller `perMinute` requests in a minute that begins with the first one; 0: no limit except for short codes.
 * Each process counts for itself and needs no Redis for it, so several API processes together allow several times as many.
 * @throws (the guard) Refused `rate_limited`
 */
export function rateLimit(app: FastifyInstance, perMinute: number): RateLimit {
  app.register(rateLimiter, { global: false, max: perMinute, timeWindow: 60_000, cache: KEPT, keyGenerator: keyOf });
  let count: Count;
  let countTries: Count;
  app.after(() => {
    count = app.createRateLimit();
    countTries = app.createRateLimit({ max: TRIES });
  });
  const check = async (count: Count, request: FastifyRequest, reply: FastifyReply) => {
    const counted = await count(request);
    if (counted.isAllowed) return;
    const { max, remaining, ttlInSeconds, isExceeded } = counted;
    reply.headers({ 'ratelimit-limit': max, 'ratelimit-remaining': remaining, 'ratelimit-reset': ttlInSeconds });
    if (!isExceeded) return;
    throw new Refused({
      code: 'rate_limited',
      detail: `You can send at most ${max} requests a minute.`,
      retryAfter: ttlInSeconds,
    });
  };
  return async (request, reply) => {
    const { unlimited, takesCode } = request.routeOptions.config;
    if (perMinute > 0 && !unlimited) await check(count, request, reply);
    if (takesCode) await check(countTries, request, reply);
  };
}

const keyOf = ({ caller, ip }: FastifyRequest): string => (caller ? scopeKey(caller, caller.user_id) : networkOf(ip));

/** An IPv4 address, or the network of an IPv6 address: one internet connection has 2⁶⁴ addresses. */
export function networkOf(ip: string): string {
  const address = ipaddr.isValid(ip) ? ipaddr.process(ip) : null;
  return address instanceof ipaddr.IPv6
    ? address.toNormalizedString().split(':').slice(0, 4).join(':')
    : (address?.toString() ?? ip);
}
