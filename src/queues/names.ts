import { fromKeys } from '../core/objects.ts';
import type { Priority } from '../core/priority.ts';
import { DESCRIPTORS, QUEUED_CHANNELS, type QueuedChannel } from '../people/channels.ts';

/** Queues with the name of the worker that consumes them. */
type WorkerQueue = 'fan-out' | (typeof DESCRIPTORS)[QueuedChannel]['queue'];
/** `fan-out-parts`: ranges of facts with many recipients, so that other facts don't wait behind them. */
export type QueueName = WorkerQueue | 'fan-out-parts';

export const QUEUE_OF = fromKeys(QUEUED_CHANNELS, (channel) => DESCRIPTORS[channel].queue);

const WORKER_QUEUES: readonly WorkerQueue[] = ['fan-out', ...Object.values(QUEUE_OF)];
/** All queues. */
export const QUEUES: readonly QueueName[] = [...WORKER_QUEUES, 'fan-out-parts'];

/** All workers, without the one that runs all of them in one process. */
export type WorkerName = 'relay' | 'clock' | 'waitlist' | 'webhooks' | WorkerQueue;
export const WORKERS: readonly WorkerName[] = ['relay', ...WORKER_QUEUES, 'waitlist', 'webhooks', 'clock'];

/**
 * The name of the BullMQ queue. Each priority has a queue and workers of its own, because with BullMQ's priorities
 * within one queue bulk jobs could occupy all workers.
 */
export const queueNameOf = (queue: QueueName, priority: Priority): string =>
  priority === 'urgent' ? `${queue}-urgent` : queue;

/**
 * Payloads contain ids only, so that Redis never holds personal or outdated data. `tenant_id` tells operators whose job it is.
 * `part`: only this range of the recipients.
 */
export type FactPayload = { factId: string; tenant_id: string; part?: number };
export type DeliveryPayload = { ids: string[]; tenant_id: string };

/** The version of the payloads above. A payload without a version has version 1. */
const PAYLOAD_VERSION = 1;

/** `newer`: written by a newer process, which must read it. null: malformed. */
export type Read<Payload> = Payload | 'newer' | null;

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f-]{36,64}$/.test(value);

const isNewer = (data: unknown): boolean => {
  const { v } = (data ?? {}) as { v?: unknown };
  return typeof v === 'number' && v > PAYLOAD_VERSION;
};

export function readFactPayload(data: unknown): Read<FactPayload> {
  const payload = (data ?? {}) as Partial<FactPayload>;
  if (isNewer(payload)) return 'newer';
  const { factId, tenant_id, part } = payload;
  if (!isId(factId) || typeof tenant_id !== 'string') return null;
  return { factId, tenant_id, ...(Number.isInteger(part) ? { part } : {}) };
}

export function readDeliveryPayload(data: unknown): Read<DeliveryPayload> {
  const payload = (data ?? {}) as Partial<DeliveryPayload>;
  if (isNewer(payload)) return 'newer';
  const { ids, tenant_id } = payload;
  if (typeof tenant_id !== 'string' || !Array.isArray(ids)) return null;
  return ids.length > 0 && ids.every(isId) ? { ids, tenant_id } : null;
}
