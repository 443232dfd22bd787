import { type SchoolEvent, searchWordsOf } from '../../events/event.ts';
import type { EventFields } from '../../events/event-fields.ts';
import type { EventFilter } from '../../events/rules/filter.ts';
import { bytesOf } from '../../events/rules/validation.ts';
import { fileIdsIn } from '../../files/file-types.ts';
import { RESTRICTION_LISTS, type RestrictedTo, type RestrictionList } from '../../people/visibility.ts';
import { seatsToGive } from '../../registrations/seats/admission.ts';
import { type Row, rowOf } from '../rows.ts';

/** A stored event with the fields that only queries need; each write derives them again. */
export type EventRow = Row<SchoolEvent> & {
  /** the values that filters match, as `kind:value`: one multikey index serves every filter */
  terms: string[];
  /** lasts longer than 48 hours: queries of running events can't find it by its start */
  long: boolean;
  /** people wait although seats are free: the waitlist must be promoted */
  seats_to_give: boolean;
  /** the size of the event, for the sum over its series */
  json_bytes: number;
};

export const LONG_MS = 48 * 3_600_000;

/** A projection without the fields that only queries need. */
export const WITHOUT_TERMS = { terms: 0, long: 0, seats_to_give: 0, json_bytes: 0 } as const;

export const eventRowOf = (event: SchoolEvent): EventRow => ({
  ...rowOf(event),
  terms: termsOf(event),
  long: event.ends_at.getTime() - event.starts_at.getTime() > LONG_MS,
  // The query of the index checks the start itself.
  seats_to_give: seatsToGive(event, new Date(0)) > 0,
  json_bytes: bytesOf(event),
});

/** The filters with a term of their own, and its kind; from the most to the least selective. */
export const FIELD_TERMS = [
  ['class_id', 'class'],
  ['organizer_id', 'organizer'],
  ['department_id', 'department'],
  ['tags', 'tag'],
  ['categories', 'category'],
  ['is_featured', 'featured'],
  ['is_recurring', 'recurring'],
  ['event_type', 'type'],
  ['visibility', 'visibility'],
  ['status', 'status'],
] as const satisfies readonly (readonly [keyof SchoolEvent & keyof EventFilter, string])[];

type TermKind = (typeof FIELD_TERMS)[number][1] | 'word' | 'file' | 'seen' | 'for';

export const term = (kind: TermKind, value: string | boolean): string => `${kind}:${value}`;

function termsOf(event: SchoolEvent): string[] {
  const found = [
    ...FIELD_TERMS.flatMap(([field, kind]) =>
      [event[field]].flat().flatMap((value) => (value ? term(kind, value) : [])),
    ),
    ...searchWordsOf(event).map((word) => term('word', word)),
    ...fileIdsOf(event).map((id) => term('file', id)),
    ...seenTerms(event),
  ];
  return [...new Set(found)];
}

/** The uploaded files that an event or template uses. */
export const fileIdsOf = (fields: Pick<EventFields, 'banner_url' | 'image_url' | 'attachments'>): string[] =>
  fileIdsIn([fields.banner_url, fields.image_url, ...fields.attachments.map(({ url }) => url)]);

/** A term for people that an event is restricted to. It finds too many events; the query checks each. */
export const forTerm = (list: RestrictionList | 'user_ids', value: string): string => term('for', `${list}:${value}`);

function seenTerms({ status, visibility, restricted_to }: SchoolEvent): string[] {
  if (status === 'draft') return [];
  if (visibility !== 'restricted') return [term('seen', visibility)];
  const limits: RestrictedTo = restricted_to ?? {};
  // A person must match every list that is set, so the first one is enough.
  const narrowest = RESTRICTION_LISTS.find((list) => (limits[list]?.length ?? 0) > 0);
  const users = (limits.user_ids ?? []).map((id) => forTerm('user_ids', id));
  return narrowest ? [...users, ...(limits[narrowest] ?? []).map((value) => forTerm(narrowest, value))] : users;
}
