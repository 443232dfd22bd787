import { chunksOf } from '../kernel/chunks-of.ts';
import { type Delivery, IN_DIGEST } from './delivery.ts';
import type { Outgoing } from './message.ts';
import type { Settlement } from './ports.ts';

/** Messages in one digest: more of them are told in a second one. */
const MOST = 50;

/** One thing that goes on the wire, with the rows it tells of beside its own. */
export type Parcel = { row: Delivery; message: Outgoing; others: Delivery[] };

type Ready = { row: Delivery; message: Outgoing };

/**
 * What waited for one person's morning goes as one message, in the order in which it came: the first row carries it and
 * gives it its id. A message with a calendar object goes by itself, since mail programs act on it. What was put together
 * before goes together again, and nothing else with it.
 */
export function parcelsOf(ready: readonly Ready[], digests: boolean): Parcel[] {
  const parcels: Parcel[] = [];
  const open = new Map<string, Ready[]>();
  for (const one of ready) {
    const { digest_key, digest_id } = one.row;
    const key = digest_id ?? (one.message.content.calendar === null ? digest_key : null);
    if (!digests || key === null) parcels.push({ ...one, others: [] });
    else open.set(key, [...(open.get(key) ?? []), one]);
  }
  for (const together of open.values()) {
    const inOrder = [...together].sort(byArrival);
    for (const some of chunksOf(inOrder, MOST)) parcels.push(...parcelOf(some));
  }
  return parcels;
}

function byArrival({ row: a }: Ready, { row: b }: Ready): number {
  return a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1);
}

function parcelOf([first, ...rest]: readonly Ready[]): Parcel[] {
  if (!first) return [];
  const { digest_id, id } = first.row;
  const named = digest_id === null || digest_id === id ? {} : { message_id: digest_id };
  const parts = rest.length > 0 ? { parts: [first, ...rest].map((one) => one.message) } : {};
  return [{ row: first.row, message: { ...first.message, ...named, ...parts }, others: rest.map((one) => one.row) }];
}

/** A row that was told by another one's message says so. */
export function inDigest(settlement: Settlement, carrier: Delivery): Settlement {
  if (settlement.to !== 'sent' && settlement.to !== 'sent_unconfirmed') return settlement;
  return { ...settlement, detail: `${IN_DIGEST}${carrier.id}` };
}

/** What is sent together: a message that was put together before, else what waited for the same morning. */
export const unitOf = ({ id, crashes, digest_id, digest_key }: Delivery): string =>
  digest_id ?? (crashes > 0 ? id : (digest_key ?? id));

/** Takes about `size` rows from the front of what lies side by side, never a part of a unit alone. */
export function takeChunk(rows: Delivery[], size: number): Delivery[] {
  let end = Math.min(size, rows.length);
  const isCut = () => {
    const [last, next] = [rows[end - 1], rows[end]];
    return last !== undefined && next !== undefined && unitOf(last) === unitOf(next);
  };
  while (end < rows.length && isCut()) end += 1;
  return rows.splice(0, end);
}
