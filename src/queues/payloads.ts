/** Payloads carry ids only: nothing personal, nothing that could be out of date, is ever in Redis. */
export type FactPayload = { factId: string };
export type DeliveryPayload = { ids: string[] };

const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f-]{36,64}$/.test(value);

/** @returns null for anything that isn't one */
export function readFactPayload(data: unknown): FactPayload | null {
  const { factId } = (data ?? {}) as Partial<FactPayload>;
  return isId(factId) ? { factId } : null;
}

/** @returns null for anything that isn't one */
export function readDeliveryPayload(data: unknown): DeliveryPayload | null {
  const { ids } = (data ?? {}) as Partial<DeliveryPayload>;
  return Array.isArray(ids) && ids.length > 0 && ids.every(isId) ? { ids } : null;
}
