/**
 * Payloads carry ids only: nothing personal, nothing that could be out of date, is ever in Redis. The tenant's says whose
 * turn the work is.
 */
export type FactPayload = {
  factId: string;
  tenant_id: string;
  /** more facts of the same tenant and kind, worked on together with it */
  others?: string[];
};
export type DeliveryPayload = { ids: string[]; tenant_id: string };

/** Of the payloads above; one without a version is of the first. */
export const PAYLOAD_VERSION = 1;

/** `newer`: written by a newer process, and left for one. null: nothing that could be read. */
export type Read<Payload> = Payload | 'newer' | null;

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f-]{36,64}$/.test(value);

const isNewer = (data: unknown): boolean => {
  const { v } = (data ?? {}) as { v?: unknown };
  return typeof v === 'number' && v > PAYLOAD_VERSION;
};

export function readFactPayload(data: unknown): Read<FactPayload> {
  const payload = (data ?? {}) as Partial<FactPayload>;
  if (isNewer(payload)) return 'newer';
  const { factId, others } = payload;
  if (!isId(factId)) return null;
  const one = { factId, tenant_id: tenantOf(payload) };
  return Array.isArray(others) && others.length > 0 && others.every(isId) ? { ...one, others } : one;
}

export function readDeliveryPayload(data: unknown): Read<DeliveryPayload> {
  const payload = (data ?? {}) as Partial<DeliveryPayload>;
  if (isNewer(payload)) return 'newer';
  const { ids } = payload;
  return Array.isArray(ids) && ids.length > 0 && ids.every(isId) ? { ids, tenant_id: tenantOf(payload) } : null;
}

/** A job of an older process names no tenant. */
const tenantOf = ({ tenant_id }: { tenant_id?: unknown }): string => (typeof tenant_id === 'string' ? tenant_id : '');
