import type { FieldFault } from '../core/errors.ts';
import { idOf } from '../core/ids.ts';
import type { EventStatus } from '../events/event.ts';
import type { NewEvent } from '../events/event-fields.ts';
import type { FactType } from '../outbox/fact.ts';
import type { Scope } from '../people/caller.ts';
import type { RegistrationKind, RegistrationStatus } from '../registrations/registration.ts';

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

/** An event as the other service has it: the fields of create, its status, and a version that grows with every change. */
export type Snapshot = NewEvent & {
  id: string;
  version: number;
  status: EventStatus;
  parent_event_id?: string | null;
  publish_at?: Date | null;
  published_at?: Date | null;
  cancelled_at?: Date | null;
  cancellation_reason?: string | null;
  postponed_to?: Date | null;
  postponement_reason?: string | null;
};

/** A registration as the other service has it. A report leaves registrations it does not name unchanged. */
export type ReportedRegistration = {
  id: string;
  user_id: string;
  kind: RegistrationKind;
  status: RegistrationStatus;
  notes?: string | null;
  contact?: { email?: string | null; phone?: string | null } | null;
  /** decides the order of seats; default: `occurred_at` of the report */
  created_at?: Date | null;
  cancel_reason?: string | null;
  checked_in_at?: Date | null;
};

export type Item = {
  id: string;
  type: ReportedType;
  occurred_at: Date;
  event: Snapshot;
  registrations?: readonly ReportedRegistration[];
};

/** A registration that holds a seat in the other service but not here, with the reason. */
export type LeftOut = {
  registration_id: string;
  code: 'event_full' | 'already_registered';
  status: RegistrationStatus;
};

/** The result for one item. */
export type Outcome =
  | { status: 'accepted'; event_id: string; superseded: boolean; left_out: LeftOut[] }
  | { status: 'duplicate'; event_id: string }
  | { status: 'rejected'; errors: FieldFault[] };

/**
 * The sort key of a report within its event: version, then time, then id. The order has no ties, so that the result does not
 * depend on the order of arrival.
 */
export const markOf = ({ id, occurred_at, event }: Item): string =>
  `${String(event.version).padStart(16, '0')} ${occurred_at.toISOString()} ${id}`;

/** Derives our id of a reported event from its school and its id in the other service. */
export const eventIdOf = ({ tenant_id, school_id }: Scope, external_id: string): string =>
  idOf('event', tenant_id, school_id, external_id);

export const registrationIdOf = ({ tenant_id, school_id }: Scope, event_id: string, external_id: string): string =>
  idOf('registration', tenant_id, school_id, event_id, external_id);
