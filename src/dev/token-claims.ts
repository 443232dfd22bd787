import { PERMISSION_NAMES, type Role } from '../people/caller.ts';

const NOT_OF_STAFF: readonly string[] = ['events.delete.any', 'events.ingest', 'operations.queues'];

/** The usual permissions of a role. */
export function permissionsOf(role: Role): readonly string[] {
  switch (role) {
    case 'admin':
      return PERMISSION_NAMES;
    case 'staff':
      return PERMISSION_NAMES.filter((name) => !NOT_OF_STAFF.includes(name));
    case 'student':
    case 'parent':
      return ['events.view'];
    case 'external':
      return [];
  }
}
