import { type Refusal, Refused } from '../core/errors.ts';
import type { Caller } from './caller.ts';

/** The permissions; any one of a row is enough. */
export const PERMISSIONS = {
  view_events: ['events.view'],
  create_event: ['events.create'],
  update_event: ['events.update'],
  choose_audience: ['events.create', 'events.update'],
  delete_event: ['events.delete'],
  delete_any_event: ['events.delete.any'],
  publish_event: ['events.publish', 'events.update'],
  cancel_event: ['events.cancel', 'events.update'],
  manage_registrations: ['events.registrations.manage'],
  send_messages: ['events.messages.send', 'events.settings.manage'],
  use_saved_texts: ['events.messages.send', 'events.settings.manage', 'events.registrations.manage'],
  view_statistics: ['events.statistics.view', 'events.view'],
  manage_contacts: ['events.contacts.manage'],
  upload_files: ['events.create', 'events.update', 'events.settings.manage'],
  manage_settings: ['events.settings.manage'],
  manage_deliveries: ['events.deliveries.manage'],
  /** the queues of all schools of the installation */
  manage_queues: ['operations.queues'],
  ingest: ['events.ingest'],
  view_as: ['events.view_as'],
} as const satisfies Record<string, readonly string[]>;

export type Permission = keyof typeof PERMISSIONS;

export const may = (caller: Pick<Caller, 'permissions'>, permission: Permission): boolean =>
  PERMISSIONS[permission].some((name) => caller.permissions.includes(name));

/** The refusal of a caller who lacks a permission, which it names. */
export const forbiddenWithout = (permission: Permission): Refusal & { detail: string } => ({
  code: 'forbidden',
  detail: `You need the permission ${PERMISSIONS[permission].join(' or ')}. Ask an administrator for it.`,
});

/** @throws Refused `forbidden`, naming the missing permission */
export function mustBeAllowed(caller: Caller, permission: Permission): void {
  if (!may(caller, permission)) throw new Refused(forbiddenWithout(permission));
}
