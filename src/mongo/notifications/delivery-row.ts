import mongoose from 'mongoose';
import { type Delivery, EMPTY_FIELDS, withEmptyFields } from '../../notifications/delivery.ts';
import { IS_STRING, type Row } from '../rows.ts';

/** Empty fields are not stored: rows are many, and half of their fields are empty most of the time. */
export type DeliveryRow = Omit<Row<Delivery>, keyof typeof EMPTY_FIELDS> &
  Partial<Pick<Delivery, keyof typeof EMPTY_FIELDS>> & {
    /** of a digest's first row: the ids of all members, including itself */
    digest_ids?: string[];
    /** of an entry of an inbox: when the server stored it */
    arrived?: mongoose.mongo.Timestamp;
    seen_at?: Date;
    read_at?: Date;
    archived_at?: Date;
  };

/** Matches the entries of inboxes, and names the condition of their partial index. */
export const IN_INBOX = { channel: 'in_app', title: IS_STRING } as const;

/** The fields that make a delivery an entry of an inbox. */
export const ENTRY_FIELDS = ['title', 'body', 'arrived', 'seen_at', 'read_at', 'archived_at'] as const;

/** The server replaces this value in inserted documents by its own time. */
const ARRIVED_NOW = new mongoose.mongo.Timestamp({ t: 0, i: 0 });

/** The fields that name a person: as recipient, as the person concerned, or as a reader at the same address. */
export const PLACES_OF_PERSON = ['user_id', 'on_behalf_of.user_id', 'also.user_id', 'also.on_behalf_of.user_id'];

const EMPTY = new Map<string, unknown>(Object.entries(EMPTY_FIELDS));

/** `for … in`, because spreading and filtering as many fields takes five times as long. */
export function deliveryRowOf(delivery: Delivery): DeliveryRow {
  const row: Record<string, unknown> = { _id: delivery.id };
  for (const field in delivery) {
    const value = delivery[field as keyof Delivery];
    const isEmpty = Array.isArray(value) ? value.length === 0 : value === EMPTY.get(field);
    if (!isEmpty && field !== 'id') row[field] = value;
  }
  if (delivery.title !== null) row.arrived = ARRIVED_NOW;
  return row as DeliveryRow;
}

export const deliveryOf = ({ _id, ...row }: DeliveryRow): Delivery => withEmptyFields({ ...row, id: _id });

/** Reads the rows of a query as deliveries. */
export const deliveriesOf = async (found: { toArray(): Promise<DeliveryRow[]> }): Promise<Delivery[]> =>
  (await found.toArray()).map(deliveryOf);

/** The values of a row that moves to another channel: those of the first provider are reset. */
export const switchedTo = (channel: string) => ({
  channel,
  fallback: null,
  // Callbacks of the first channel name an earlier try from now on.
  fence: { $add: ['$fence', 1] },
  repeated: false,
  attempts: 0,
  provider: null,
  provider_id: null,
  settled_at: null,
});

/** A constant in a pipeline update, which would read a string that starts with `$` as a field path. */
export const literal = (value: string | null) => ({ $literal: value });

/**
 * Since when a waiting row is late; null if it is not due yet. While its provider can't be reached, a row is tried again and
 * again without a counted try, and each time gets another `due_at`: it has been late since it was first due.
 */
export function lateSince(now: Date) {
  const wasHeldUp = { $and: [{ $gt: ['$fence', 0] }, { $lt: ['$attempts', 1] }] };
  const since = { $cond: [wasHeldUp, { $max: ['$created_at', '$held_until', '$redriven_at'] }, '$due_at'] };
  return { $cond: [{ $lte: [since, now] }, since, null] };
}
