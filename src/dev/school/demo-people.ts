import type { SignInPerson } from '../stand-ins/sign-in-people.ts';
import { permissionsOf } from '../token-claims.ts';
import { callerOf, type DemoPerson } from './demo-person.ts';

const OFFERED: Readonly<Record<string, { role: string; permissions: 'admin' | 'student' }>> = {
  'Alena Horáková': { role: 'Member of staff', permissions: 'admin' },
  'Petra Nováková': { role: 'Parent of two', permissions: 'student' },
  'Anna Svobodová': { role: 'Student', permissions: 'student' },
  'Milan Host': { role: 'Visitor', permissions: 'student' },
};

/** The people of the demo school that the sign-in page offers. */
export const signInPeople = (directory: readonly DemoPerson[]): SignInPerson[] =>
  Object.entries(OFFERED).flatMap(([name, { role, permissions }]) =>
    directory
      .filter((person) => person.name === name)
      .map((person) => ({
        name,
        role,
        caller: { ...callerOf(person, directory), permissions: permissionsOf(permissions) },
      })),
  );
