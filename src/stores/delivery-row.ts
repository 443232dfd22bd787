import type { Delivery } from '../notifications/delivery.ts';
import type { Row } from './rows.ts';

/** What most rows don't have is left out: rows are many, and half of their fields are empty for most of their life. */
export type DeliveryRow = Partial<Row<Delivery>> & Pick<Row<Delivery>, '_id' | 'user_id' | 'tenant_id' | 'status'>;

const EMPTY = {
  on_behalf_of: [] as Delivery['on_behalf_of'],
  also: [] as Delivery['also'],
  address: null,
  registration_ids: [] as string[],
  reason: null,
  detail: null,
  held_until: null,
  digest_key: null,
  expires_at: null,
  queued_at: null,
  claim: null,
  lease_until: null,
  fence: 0,
  attempts: 0,
  errors: 0,
  crashes: 0,
  handed_over: false,
  repeated: false,
  provider: null,
  provider_id: null,
  template_version: null,
  settled_at: null,
  redriven_at: null,
} satisfies Partial<Delivery>;

/** Nothing more happens to these by itself. */
export const FINAL_STATUSES: readonly Delivery['status'][] = [
  'sent',
  'sent_unconfirmed',
  'skipped',
  'failed',
  'quarantined',
];

export function deliveryRowOf({ id, ...delivery }: Delivery): DeliveryRow {
  const row: Record<string, unknown> = { _id: id };
  for (const [field, value] of Object.entries(delivery)) {
    if (value === null || value === 0 || value === false) {
      if (field in EMPTY) continue;
    } else if (Array.isArray(value) && value.length === 0) {
      continue;
    }
    row[field] = value;
  }
  return row as DeliveryRow;
}

const EMPTY_FIELDS = Object.keys(EMPTY) as (keyof typeof EMPTY)[];

/** Completes the row it is given, which nobody else holds: copying each row would cost as much as reading it. */
export function deliveryOf(row: DeliveryRow): Delivery {
  const delivery = row as unknown as Record<string, unknown>;
  delivery.id = row._id;
  for (const field of EMPTY_FIELDS) if (delivery[field] === undefined) delivery[field] = EMPTY[field];
  return delivery as unknown as Delivery;
}
