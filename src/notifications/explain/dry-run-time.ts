/** Waiting messages on a channel, by tenant. */
export type Ahead = ReadonlyMap<string, number>;

/**
 * Seconds until the last of these messages is sent at the channel's rate. Tenants are served round robin, so another tenant
 * counts at most as many messages as this one has.
 */
export function secondsUntilSent(count: number, tenant_id: string, ahead: Ahead, perSecond: number): number {
  if (count === 0) return 0;
  const ours = count + (ahead.get(tenant_id) ?? 0);
  const others = [...ahead].filter(([tenant]) => tenant !== tenant_id).map(([, waiting]) => Math.min(waiting, ours));
  return Math.ceil((ours + others.reduce((sum, waiting) => sum + waiting, 0)) / perSecond);
}
