import { byId, chunksOf, type Group, groupBy } from '../../core/groups.ts';
import type { Outgoing } from '../content/message.ts';
import { type Delivery, IN_DIGEST, isOpen } from '../delivery.ts';
import type { DeliveryResult } from '../policy/retry.ts';
import type { NotificationStores } from '../ports.ts';
import type { ProviderDeps } from './capacity.ts';
import type { Decision } from './evaluate.ts';

/** Deliveries per digest; further ones go into a second digest. */
const MAX_MEMBERS = 50;
/** How long a part of a digest waits if another worker has the rest: the worker with the lowest id yields to the other one. */
const YIELD_MS = 1_000;

/** One message for the channel: its own row, and the rows of the other members of its digest. */
export type Message = { row: Delivery; others: Delivery[]; outgoing: Outgoing };

type Ready = Pick<Message, 'row' | 'outgoing'>;

type DigestDeps = Pick<NotificationStores, 'deliveries'> & Pick<ProviderDeps, 'adapter'>;

/**
 * Groups due rows into units that are sent together, and adds the rows that belong to them: the other members of a composed
 * digest, even before they are due, and due rows with the same digest key. If another worker has leased some members of a
 * digest, the others wait for a moment.
 */
export async function loadUnits(
  { deliveries, adapter }: DigestDeps,
  due: readonly Delivery[],
): Promise<Group<Delivery>[]> {
  const keyed = adapter.digests ? due.filter((row) => row.digest_key !== null) : [];
  if (keyed.length === 0) return groupBy(due, (row) => row.id);
  const composed = keyed.filter((row) => row.digest_id !== null);
  const keys = keyed.filter((row) => row.digest_id === null).flatMap((row) => row.digest_key ?? []);
  const [members, digests] = await Promise.all([
    keys.length > 0 ? deliveries.findDueDigestMembers([...new Set(keys)], adapter.channel) : [],
    composed.length > 0
      ? deliveries.loadDigests(composed.flatMap((row) => row.digest_id ?? []))
      : new Map<string, Delivery[]>(),
  ]);
  const rows = byId([...due, ...members]);
  for (const [digest_id, members] of digests) {
    const open = members.filter(isOpen);
    const found = open.filter((row) => row.status === 'waiting');
    for (const row of found) rows.set(row.id, { ...row, digest_id });
    if (found.length === open.length) continue;
    for (const row of found) rows.delete(row.id);
    await deliveries.release(idsOf(found), waitOfPart(found, open));
  }
  return groupBy([...rows.values()], unitOf);
}

/** The key of deliveries that are sent together: a composed digest, else the deferred deliveries of one reader. */
export const unitOf = ({ id, crashes, digest_id, digest_key }: Delivery): string =>
  digest_id ?? (crashes > 0 ? id : (digest_key ?? id));

/** How long a part of the open rows of a digest waits until it is tried again. */
export const waitOfPart = (part: readonly Delivery[], open: readonly Delivery[]): number =>
  part.some(({ id }) => open.every((row) => id <= row.id)) ? YIELD_MS : 0;

/**
 * Composes the messages that the gate lets pass. Stores new digests before anything is sent, so that a retry after a crash
 * sends the same message under the same id.
 * @returns the messages whose rows are all still leased
 */
export async function composeMessages(
  { deliveries, adapter: { digests = false } }: DigestDeps,
  decisions: readonly Decision[],
  claim: string,
): Promise<Message[]> {
  const messages = composeDigests(decisions, digests);
  const isNew = ({ row }: Message) => digests && row.digest_key !== null && row.digest_id === null;
  const members = messages.filter(isNew).map((one) => idsOf(rowsOf(one)));
  if (members.length === 0) return messages;
  const ours = new Set(await deliveries.createDigests(members, claim));
  return messages.filter((one) => !isNew(one) || ours.has(one.row.id));
}

/**
 * Combines deferred messages to one reader into digests in the order of creation; a digest has the id of its first row. A
 * message with a calendar object is sent alone, because mail programs act on it. A digest composed before keeps its members.
 */
export function composeDigests(decisions: readonly Decision[], digests: boolean): Message[] {
  const ready = decisions.flatMap(({ row, outgoing }) => (outgoing ? [{ row, outgoing }] : []));
  const keyOf = ({ row, outgoing }: Ready): string => {
    const key = row.digest_id ?? (outgoing.content.calendar === null ? row.digest_key : null);
    return (digests && key) || row.id;
  };
  return groupBy(ready, keyOf).flatMap((members) => chunksOf(members.sort(byCreation), MAX_MEMBERS).flatMap(digestOf));
}

function byCreation({ row: a }: Ready, { row: b }: Ready): number {
  return a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1);
}

function digestOf([first, ...rest]: readonly Ready[]): Message[] {
  if (!first) return [];
  const { digest_id, id } = first.row;
  const named = digest_id === null || digest_id === id ? {} : { sent_as: digest_id };
  const parts = rest.length > 0 ? { parts: [first, ...rest].map((one) => one.outgoing) } : {};
  return [{ row: first.row, others: rest.map((one) => one.row), outgoing: { ...first.outgoing, ...named, ...parts } }];
}

/** The result of a digest member, which names the digest's first row. */
export function inDigest(result: DeliveryResult, first: Delivery): DeliveryResult {
  if (result.to !== 'sent' && result.to !== 'sent_unconfirmed') return result;
  return { ...result, detail: `${IN_DIGEST}${first.id}` };
}

export const rowsOf = ({ row, others }: Message): Delivery[] => [row, ...others];

export const idsOf = (rows: readonly Delivery[]): string[] => rows.map((row) => row.id);
