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

/** Cuts rows into chunks of about `size`; those of one digest stay together. */
export function chunksOf(rows: readonly Delivery[], size: number): Delivery[][] {
  const together = new Map<string, Delivery[]>();
  for (const row of rows) {
    const key = row.digest_key ?? row.id;
    const known = together.get(key);
    if (known) known.push(row);
    else together.set(key, [row]);
  }
  const chunks: Delivery[][] = [];
  let chunk: Delivery[] = [];
  for (const group of together.values()) {
    if (chunk.length > 0 && chunk.length + group.length > size) {
      chunks.push(chunk);
      chunk = [];
    }
    chunk.push(...group);
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}
