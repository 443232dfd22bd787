import { type Static, type TObject, Type } from 'typebox';
import { type FieldFault, fault } from '../core/errors.ts';
import { idOf } from '../core/ids.ts';
import { instant, line, nullable, oneOf, optional, strict, text } from '../core/schema.ts';
import { EVENT_STATUSES } from '../events/event.ts';
import type { NewEvent } from '../events/event-fields.ts';
import { LIMITS } from '../events/limits.ts';
import type { FactType } from '../outbox/fact.ts';
import type { Scope } from '../people/caller.ts';
import { id } from '../people/schema.ts';
import { REGISTER } from '../registrations/input.ts';
import { REGISTRATION_KINDS, REGISTRATION_STATUSES } from '../registrations/registration.ts';

/** The types that may be reported. The effects are derived from the snapshot, not from the type. */
export const REPORTED_TYPES = [
  'event.created',
  'event.scheduled',
  'event.published',
  'event.unpublished',
  'event.cancelled',
  'event.postponed',
  'event.returned',
  'event.changed',
  'event.edited',
  'event.started',
  'event.completed',
  'event.deleted',
  'registration.pending',
  'registration.confirmed',
  'registration.waitlisted',
  'registration.cancelled',
  'registration.checked_in',
] as const satisfies readonly FactType[];

export type ReportedType = (typeof REPORTED_TYPES)[number];

const moment = optional(nullable(instant));
const reason = (description: string) => optional(nullable(text(LIMITS.reason, { description })));

/** The fields of a reported event, besides those that create an event. */
export const REPORTED_EVENT = {
  id: { ...id, description: 'The id of the event in the reporting service. Every route of an event accepts it.' },
  version: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'The version of the event in the reporting service. It grows with every change; an older version never replaces a newer one.',
  }),
  status: oneOf(EVENT_STATUSES),
  published_at: moment,
  cancelled_at: moment,
  publish_at: moment,
  postponed_to: optional(
    nullable({
      ...instant,
      description:
        'The new start of a postponed event. Null: not known yet. By default its start if this report moves it (to another ' +
        'day, if the date was not known), else as before.',
    }),
  ),
  cancellation_reason: reason('Why the event was cancelled.'),
  postponement_reason: reason('Why the event was postponed.'),
  parent_event_id: optional(nullable({ ...id, description: 'The id of the first event of the series.' })),
};
export type Snapshot = NewEvent & Static<TObject<typeof REPORTED_EVENT>>;

const { notes, contact } = REGISTER.properties;

/** A registration as the other service has it. A report leaves registrations it does not name unchanged. */
export const REPORTED_REGISTRATION = strict({
  id,
  user_id: id,
  kind: oneOf(REGISTRATION_KINDS),
  status: oneOf(REGISTRATION_STATUSES),
  notes,
  contact,
  created_at: optional(
    nullable({
      ...instant,
      description:
        'When the person registered; by default the time of the report. Seats are given in this order, then by id.',
    }),
  ),
  cancel_reason: reason('Why the registration was cancelled.'),
  checked_in_at: optional(
    nullable({ ...instant, description: 'When the person was checked in. If it is missing, a check-in here stays.' }),
  ),
});

export type Item = {
  id: string;
  type: ReportedType;
  occurred_at: Date;
  event: Snapshot;
  registrations?: readonly Static<typeof REPORTED_REGISTRATION>[];
};

/** Faults between the fields of a report. */
export function findItemFaults({ event, registrations = [] }: Item): FieldFault[] {
  const ids = registrations.map((one) => one.id);
  return [
    ...(event.parent_event_id === event.id
      ? [fault('/event/parent_event_id', 'must be the id of another event', 'own_parent')]
      : []),
    ...ids.flatMap((one, i) =>
      ids.indexOf(one) < i ? fault(`/registrations/${i}/id`, 'must not be named twice', 'uniqueItems') : [],
    ),
  ];
}

/** A registration that holds a seat in the other service but not here, with the reason. */
export const LEFT_OUT = strict({
  registration_id: line(200),
  code: oneOf(['event_full', 'already_registered']),
  status: oneOf(REGISTRATION_STATUSES, { description: 'The status of the registration in this service.' }),
});
export type LeftOut = Static<typeof LEFT_OUT>;

export type ItemOutcome =
  | { status: 'accepted'; event_id: string; superseded: boolean; left_out: LeftOut[] }
  | { status: 'duplicate'; event_id: string }
  | { status: 'rejected'; errors: FieldFault[] };

/** A report with its sort key within its event. */
export type MarkedItem = Item & { mark: string };

/**
 * The report with its sort key: version, then time, then id. The order has no ties, so that the result does not depend on the
 * order of arrival. The clock of the other service may be ahead: times in the future count as now, and are sorted among themselves.
 */
export function marked(item: Item, now: Date): MarkedItem {
  const { id, event, occurred_at: given } = item;
  const occurred_at = given > now ? now : given;
  const version = String(event.version).padStart(16, '0');
  return { ...item, occurred_at, mark: `${version} ${occurred_at.toISOString()} ${given.toISOString()} ${id}` };
}

/** Derives our id of a reported event from its school and its id in the other service. */
export const eventIdOf = ({ tenant_id, school_id }: Scope, external_id: string): string =>
  idOf('event', tenant_id, school_id, external_id);

export const registrationIdOf = ({ tenant_id, school_id }: Scope, event_id: string, external_id: string): string =>
  idOf('registration', tenant_id, school_id, event_id, external_id);
