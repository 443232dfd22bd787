import type { Delivery } from './delivery.ts';

/** `Eva Nováková` → `E. N.`: enough to tell two people of one list apart. */
export const maskedName = (name: string): string =>
  name
    .split(/\s+/)
    .filter((part) => part !== '')
    .map((part) => `${[...part][0]}.`)
    .join(' ');

/**
 * `eva@home.example` → `e…@home.example`, `+420601234567` → `+420…567`: enough to find the cause of a fault, without
 * revealing the address.
 */
export function maskedAddress(address: string | null): string | null {
  if (address === null) return null;
  const at = address.lastIndexOf('@');
  if (at > 0) return `${[...address][0]}…${address.slice(at)}`;
  return `${address.slice(0, 4)}…${address.slice(-3)}`;
}

/** A delivery as operators see it, without the recipient's name and address. */
export const masked = <D extends Pick<Delivery, 'name' | 'address' | 'on_behalf_of'>>(row: D): D => ({
  ...row,
  name: maskedName(row.name),
  address: maskedAddress(row.address),
  on_behalf_of: row.on_behalf_of.map((one) => ({ ...one, name: maskedName(one.name) })),
});
