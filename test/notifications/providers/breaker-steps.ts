import type { Outcome } from '../../../src/notifications/outcome.ts';
import {
  type CircuitBreaker,
  endCall,
  newBreaker,
  startCall,
} from '../../../src/notifications/providers/circuit-breaker.ts';

export const SECOND = 1_000;
/** No jitter. */
export const MIDDLE = 0.5;

export const down: Outcome = { kind: 'infrastructure', detail: 'smtp connect ECONNREFUSED' };
export const wrongLogin: Outcome = { kind: 'configuration', detail: 'smtp 535' };
const refusedRoute: Outcome = { kind: 'configuration', detail: 'push 403', of: 'route' };
export const lost: Outcome = { kind: 'ambiguous', detail: 'smtp dot ECONNECTION' };
export const crowded: Outcome = { kind: 'infrastructure', detail: 'smtp queue ETIMEDOUT', of: 'queue' };
export const throttled: Outcome = { kind: 'throttled', detail: 'smtp 421 4.7.0' };
export const accepted: Outcome = { kind: 'accepted' };

export type Step = Outcome | { outcome: Outcome; recipient: string };

/** The breaker after these sequential calls, each taking `ms`. */
export function breakerAfter(
  steps: readonly Step[],
  { from = newBreaker('a', 0), at = 0, ms = 10, random = MIDDLE } = {},
) {
  let breaker: CircuitBreaker = from;
  let now = at;
  for (const [n, step] of steps.entries()) {
    const began = now;
    const { outcome, recipient } = 'outcome' in step ? step : { outcome: step, recipient: `person-${n}` };
    breaker = startCall(breaker, began, 30 * SECOND);
    now += ms;
    breaker = endCall(breaker, { outcome, began, now, random, recipient });
  }
  return breaker;
}
export const times = (n: number, step: Step): Step[] => Array.from({ length: n }, () => step);
export const refusedFor = (recipient: string): Step => ({ outcome: refusedRoute, recipient });
