import type { FastifyRequest } from 'fastify';
import { Refused } from '../core/errors.ts';

/** Callers and addresses remembered at most. */
const KEPT = 100_000;

/**
 * So many requests a minute for each key, all of them at once if need be (a leaky bucket, GCRA). It lives in this process:
 * several API processes allow as many times more, and no other part has to be there for it.
 * @returns a function that counts a request and says after how many milliseconds it may come again; 0: now
 */
export function allowance(perMinute: number, kept = KEPT): (key: string, now: number) => number {
  const every = 60_000 / perMinute;
  /** when a bucket will have run empty; the least recently used first */
  const emptyAt = new Map<string, number>();
  return (key, now) => {
    const full = Math.max(emptyAt.get(key) ?? 0, now) + every;
    const wait = Math.floor(full - now - 60_000);
    if (wait > 0) return wait;
    emptyAt.delete(key);
    emptyAt.set(key, full);
    if (emptyAt.size > kept) for (const oldest of emptyAt.keys()) if (emptyAt.delete(oldest)) break;
    return 0;
  };
}

/** A guard for requests: per caller, or per address where there is no caller. */
export type RateLimit = (request: FastifyRequest) => void;

/** @throws (the guard) Refused `rate_limited` */
export function rateLimit(perMinute: number): RateLimit {
  if (perMinute === 0) return () => {};
  const take = allowance(perMinute);
  return ({ caller, ip, routeOptions: { config } }) => {
    if (config.unlimited) return;
    const key = caller ? JSON.stringify([caller.tenant_id, caller.school_id, caller.user_id]) : networkOf(ip);
    const wait = take(key, Date.now());
    if (wait === 0) return;
    const detail = `at most ${perMinute} requests a minute`;
    throw new Refused({ code: 'rate_limited', detail, retryAfter: wait / 1000 });
  };
}

/** An address, or the network of an IPv6 one: a single connection has 2⁶⁴ of those. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip.replace(/^::ffff:/, '');
  const [head = '', tail] = ip.split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const all = [...groups, ...Array(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest];
  return all.slice(0, 4).join(':');
}
