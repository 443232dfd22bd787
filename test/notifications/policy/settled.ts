import type { Delivery } from '../../../src/notifications/delivery.ts';
import type { Outcome } from '../../../src/notifications/outcome.ts';
import { type DeliveryResult, resultOf } from '../../../src/notifications/policy/retry.ts';
import { NOW } from '../../support/builders.ts';
import { aDelivery } from '../../support/message-builders.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const LEASE_MS = 40 * SECOND;

/** The result of a message that was being sent; without jitter unless `random` is another one. */
export const settled = (outcome: Outcome, row: Partial<Delivery> = {}, now = NOW, random = 0.5): DeliveryResult =>
  resultOf(aDelivery({ status: 'sending', crashes: 1, ...row }), outcome, { now, random, leaseMs: LEASE_MS });
