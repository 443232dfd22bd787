import { PERMISSIONS, type Role } from '../people/caller.ts';

/** All permissions. */
export const EVERY_PERMISSION: readonly string[] = [...new Set(Object.values(PERMISSIONS).flat())].sort();

const NOT_OF_STAFF: readonly string[] = ['events.delete.any', 'events.ingest', 'operations.queues'];

/** The usual permissions of a role. */
export function permissionsOf(role: Role): readonly string[] {
  switch (role) {
    case 'admin':
      return EVERY_PERMISSION;
    case 'staff':
      return EVERY_PERMISSION.filter((name) => !NOT_OF_STAFF.includes(name));
    case 'student':
    case 'parent':
      return ['events.view'];
    case 'external':
      return [];
  }
}
