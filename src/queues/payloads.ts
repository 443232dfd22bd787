/**
 * Payloads contain ids only, so that Redis never holds personal or outdated data. Fair queueing uses the tenant's id.
 */
/** `part`: only this range of the recipients. */
export type FactPayload = { factId: string; tenant_id: string; part?: number };
export type DeliveryPayload = { ids: string[]; tenant_id: string };

/** The version of the payloads above. A payload without a version has version 1. */
export const PAYLOAD_VERSION = 1;

/** `newer`: written by a newer process, which must read it. null: malformed. */
export type Read<Payload> = Payload | 'newer' | null;

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f-]{36,64}$/.test(value);

const isNewer = (data: unknown): boolean => {
  const { v } = (data ?? {}) as { v?: unknown };
  return typeof v === 'number' && v > PAYLOAD_VERSION;
};

/**
 * Ignores further fact ids (`others`) in a job of an older process: those facts are still unprocessed in the outbox, so the
 * relay publishes each of them again.
 */
export function readFactPayload(data: unknown): Read<FactPayload> {
  const payload = (data ?? {}) as Partial<FactPayload>;
  if (isNewer(payload)) return 'newer';
  const { factId, part } = payload;
  if (!isId(factId)) return null;
  return { factId, tenant_id: tenantOf(payload), ...(Number.isInteger(part) ? { part } : {}) } as FactPayload;
}

export function readDeliveryPayload(data: unknown): Read<DeliveryPayload> {
  const payload = (data ?? {}) as Partial<DeliveryPayload>;
  if (isNewer(payload)) return 'newer';
  const { ids } = payload;
  return Array.isArray(ids) && ids.length > 0 && ids.every(isId) ? { ids, tenant_id: tenantOf(payload) } : null;
}

/** A job of an older process names no tenant. */
const tenantOf = ({ tenant_id }: { tenant_id?: unknown }): string => (typeof tenant_id === 'string' ? tenant_id : '');
