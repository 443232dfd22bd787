import type { Delivery } from './delivery.ts';
import type { Outgoing } from './message.ts';
import type { Settlement } from './ports.ts';

/** Messages in one digest: more of them are told in a second one. */
const MOST = 50;

/** One thing that goes on the wire, with the rows it tells of beside its own. */
export type Parcel = { row: Delivery; message: Outgoing; others: Delivery[] };

type Ready = { row: Delivery; message: Outgoing };

/**
 * What waited for one person's morning goes as one message: the first row carries it, so that a repeat has the same
 * carrier and with it the same id. A message with a calendar object goes by itself, since mail programs act on it.
 */
export function parcelsOf(ready: readonly Ready[], digests: boolean): Parcel[] {
  const parcels: Parcel[] = [];
  const open = new Map<string, Ready[]>();
  for (const one of ready) {
    const { digest_key } = one.row;
    if (!digests || digest_key === null || one.message.content.calendar !== null) parcels.push({ ...one, others: [] });
    else open.set(digest_key, [...(open.get(digest_key) ?? []), one]);
  }
  for (const together of open.values()) {
    const inOrder = [...together].sort((a, b) => (a.row.id < b.row.id ? -1 : 1));
    for (let i = 0; i < inOrder.length; i += MOST) parcels.push(...parcelOf(inOrder.slice(i, i + MOST)));
  }
  return parcels;
}

function parcelOf([first, ...rest]: readonly Ready[]): Parcel[] {
  if (!first) return [];
  if (rest.length === 0) return [{ ...first, others: [] }];
  const message = { ...first.message, parts: [first, ...rest].map((one) => one.message) };
  return [{ row: first.row, message, others: rest.map((one) => one.row) }];
}

/** A row that was told by another one's message says so. */
export function inDigest(settlement: Settlement, carrier: Delivery): Settlement {
  if (settlement.to !== 'sent' && settlement.to !== 'sent_unconfirmed') return settlement;
  return { ...settlement, detail: `in_digest ${carrier.id}` };
}

/** The rows in order, but those of one digest next to each other. */
export function sideBySide(rows: readonly Delivery[]): Delivery[] {
  const together = new Map<string, Delivery[]>();
  for (const row of rows) {
    const key = row.digest_key ?? row.id;
    const known = together.get(key);
    if (known) known.push(row);
    else together.set(key, [row]);
  }
  return [...together.values()].flat();
}

/** Takes about `size` rows from the front of what lies side by side, never a part of a digest alone. */
export function takeChunk(rows: Delivery[], size: number): Delivery[] {
  let end = Math.min(size, rows.length);
  const isCut = () =>
    rows[end] !== undefined && rows[end]?.digest_key !== null && rows[end]?.digest_key === rows[end - 1]?.digest_key;
  while (end < rows.length && isCut()) end += 1;
  return rows.splice(0, end);
}
