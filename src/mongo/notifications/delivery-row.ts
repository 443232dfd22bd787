import mongoose from 'mongoose';
import { type Delivery, EMPTY_FIELDS, withEmptyFields } from '../../notifications/delivery.ts';
import { IS_STRING, type Row } from '../rows.ts';

/** Empty fields are not stored: rows are many, and half of their fields are empty most of the time. */
export type DeliveryRow = Omit<Row<Delivery>, keyof typeof EMPTY_FIELDS | 'digest_at'> &
  Partial<Pick<Delivery, keyof typeof EMPTY_FIELDS>> & {
    /** of a digest's first row: the ids of all members, including itself */
    digest_ids?: string[];
    /** of an entry of an inbox: when the server stored it */
    arrived?: mongoose.mongo.Timestamp;
    seen_at?: Date;
    read_at?: Date;
    archived_at?: Date;
  };

/** Matches the entries of inboxes, and holds for their index. */
export const IN_INBOX = { channel: 'in_app', title: IS_STRING } as const;

/** The fields that make a delivery an entry of an inbox. */
export const ENTRY_FIELDS = ['title', 'body', 'arrived', 'seen_at', 'read_at', 'archived_at'] as const;

/** The server replaces this value in inserted documents by its own time. */
const ARRIVED_NOW = new mongoose.mongo.Timestamp({ t: 0, i: 0 });

/** The fields that name a person: as recipient, as the person concerned, or as a reader at the same address. */
export const PLACES_OF_PERSON = ['user_id', 'on_behalf_of.user_id', 'also.user_id', 'also.on_behalf_of.user_id'];

export function deliveryRowOf({ id, digest_at: _, ...delivery }: Delivery): DeliveryRow {
  const arrived = delivery.title === null ? {} : { arrived: ARRIVED_NOW };
  const stored = Object.entries(delivery).filter(([field, value]) => !isEmpty(field, value));
  return { _id: id, ...Object.fromEntries(stored), ...arrived } as DeliveryRow;
}

const isEmpty = (field: string, value: unknown): boolean =>
  Object.hasOwn(EMPTY_FIELDS, field) &&
  (Array.isArray(value) ? value.length === 0 : value === EMPTY_FIELDS[field as keyof typeof EMPTY_FIELDS]);

export const deliveryOf = ({ _id, ...row }: DeliveryRow): Delivery => withEmptyFields({ ...row, id: _id });

/** The values of a row that another channel takes over, without those of the first provider. */
export const movedTo = (channel: string) => ({
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
