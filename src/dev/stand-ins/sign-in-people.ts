import type { Caller } from '../../people/caller.ts';
import { DEMO_SCOPE } from '../school/demo-person.ts';
import { permissionsOf } from '../token-claims.ts';

/** A person that the sign-in page offers, with the claims of their token. */
export type SignInPerson = {
  name: string;
  /** shown beside the name */
  role: string;
  caller: Pick<Caller, 'user_id' | 'tenant_id' | 'school_id'> & Partial<Caller>;
};

/** One person per role, for a school without a directory. */
export const DEFAULT_PEOPLE: readonly SignInPerson[] = [
  {
    name: 'Sam Staff',
    role: 'Member of staff',
    caller: { ...DEMO_SCOPE, user_id: 'staff-1', roles: ['admin', 'staff'], permissions: permissionsOf('admin') },
  },
  {
    name: 'Pat Parent',
    role: 'Parent',
    caller: {
      ...DEMO_SCOPE,
      user_id: 'parent-1',
      roles: ['parent'],
      permissions: permissionsOf('parent'),
      children: ['student-1'],
    },
  },
  {
    name: 'Sky Student',
    role: 'Student',
    caller: { ...DEMO_SCOPE, user_id: 'student-1', roles: ['student'], permissions: permissionsOf('student') },
  },
  {
    name: 'Vic Visitor',
    role: 'Visitor',
    caller: { ...DEMO_SCOPE, user_id: 'visitor-1', roles: ['external'], permissions: ['events.view'] },
  },
];
