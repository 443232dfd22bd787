import mongoose from 'mongoose';
import type { Delivery } from '../../notifications/delivery.ts';
import type { Row } from '../rows.ts';

/** Empty fields are not stored: rows are many, and half of their fields are empty most of the time. */
export type DeliveryRow = Partial<Row<Delivery>> &
  Pick<Row<Delivery>, '_id' | 'user_id' | 'tenant_id' | 'status'> & {
    /** of a digest's first row: the ids of all members, including itself */
    digest_ids?: string[];
    /** of an entry of an inbox: when the server stored it; entries of earlier versions may have none */
    arrived?: mongoose.mongo.Timestamp;
    seen_at?: Date;
    read_at?: Date;
    archived_at?: Date;
  };

/** Matches the entries of inboxes, and holds for their index. */
export const IN_INBOX = { channel: 'in_app', title: { $type: 'string' } } as const;

/** The fields that make a delivery an entry of an inbox. */
export const ENTRY_FIELDS = ['title', 'body', 'arrived', 'seen_at', 'read_at', 'archived_at'] as const;

/** The server replaces this value in inserted documents by its own time. */
const ARRIVED_NOW = new mongoose.mongo.Timestamp({ t: 0, i: 0 });

const EMPTY = {
  on_behalf_of: [] as Delivery['on_behalf_of'],
  also: [] as Delivery['also'],
  address: null,
  given_by: null,
  address_owners: [] as string[],
  fallback: null,
  registration_ids: [] as string[],
  reason: null,
  detail: null,
  held_until: null,
  digest_key: null,
  digest_id: null,
  expires_at: null,
  queued_at: null,
  claim: null,
  lease_until: null,
  fence: 0,
  attempts: 0,
  errors: 0,
  crashes: 0,
  repeated: false,
  provider: null,
  provider_id: null,
  template_version: null,
  title: null,
  body: null,
  settled_at: null,
  redriven_at: null,
} satisfies Partial<Delivery>;

/** The fields that name a person: as recipient, as the person concerned, or as a reader at the same address. */
export const PLACES_OF_PERSON = ['user_id', 'on_behalf_of.user_id', 'also.user_id', 'also.on_behalf_of.user_id'];

/**
 * Assigns every field so that all rows share one V8 shape, because a fan-out builds thousands a second. Undefined fields
 * are not stored.
 */
export function deliveryRowOf(delivery: Delivery): DeliveryRow {
  const row: { [Field in keyof Stored]: Stored[Field] | undefined } = {
    _id: delivery.id,
    tenant_id: delivery.tenant_id,
    school_id: delivery.school_id,
    event_id: delivery.event_id,
    fact_id: delivery.fact_id,
    trigger: delivery.trigger,
    channel: delivery.channel,
    urgent: delivery.urgent,
    user_id: delivery.user_id,
    name: delivery.name,
    locale: delivery.locale,
    timezone: delivery.timezone,
    schedule_version: delivery.schedule_version,
    sequence: delivery.sequence,
    status: delivery.status,
    due_at: delivery.due_at,
    created_at: delivery.created_at,
    on_behalf_of: some(delivery.on_behalf_of),
    also: some(delivery.also),
    address: delivery.address ?? undefined,
    given_by: delivery.given_by ?? undefined,
    address_owners: some(delivery.address_owners),
    fallback: delivery.fallback ?? undefined,
    registration_ids: some(delivery.registration_ids),
    reason: delivery.reason ?? undefined,
    detail: delivery.detail ?? undefined,
    held_until: delivery.held_until ?? undefined,
    digest_key: delivery.digest_key ?? undefined,
    digest_id: delivery.digest_id ?? undefined,
    expires_at: delivery.expires_at ?? undefined,
    queued_at: delivery.queued_at ?? undefined,
    claim: delivery.claim ?? undefined,
    lease_until: delivery.lease_until ?? undefined,
    fence: delivery.fence || undefined,
    attempts: delivery.attempts || undefined,
    errors: delivery.errors || undefined,
    crashes: delivery.crashes || undefined,
    repeated: delivery.repeated || undefined,
    provider: delivery.provider ?? undefined,
    provider_id: delivery.provider_id ?? undefined,
    template_version: delivery.template_version ?? undefined,
    title: delivery.title ?? undefined,
    body: delivery.body ?? undefined,
    arrived: delivery.title === null ? undefined : ARRIVED_NOW,
    settled_at: delivery.settled_at ?? undefined,
    redriven_at: delivery.redriven_at ?? undefined,
  };
  return row as DeliveryRow;
}

type Stored = Row<Omit<Delivery, 'digest_at'>> & Required<Pick<DeliveryRow, 'arrived'>>;

const some = <T>(list: readonly T[]): T[] | undefined => (list.length > 0 ? (list as T[]) : undefined);

const EMPTY_FIELDS = Object.keys(EMPTY) as (keyof typeof EMPTY)[];

/** Completes the given row in place, because copying each row would cost as much as reading it. */
export function deliveryOf(row: DeliveryRow): Delivery {
  const delivery = row as unknown as Record<string, unknown>;
  delivery.id = row._id;
  for (const field of EMPTY_FIELDS) if (delivery[field] === undefined) delivery[field] = EMPTY[field];
  return delivery as unknown as Delivery;
}

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
