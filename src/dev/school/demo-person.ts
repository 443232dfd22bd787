import type { Role } from '../../people/caller.ts';
import type { Contact } from '../../people/contact.ts';
import type { SignInPerson } from '../stand-ins/sign-in-stand-in.ts';
import { permissionsOf } from '../token-claims.ts';

export const DEMO_SCOPE = { tenant_id: 'demo', school_id: 'lipova' };

/** A person of the demo school: the directory entry, preferences and devices. */
export type DemoPerson = Omit<Contact, 'tenant_id' | 'school_id' | 'department_ids' | 'updated_at'> & {
  /** has a browser that takes push messages */
  push: boolean;
  /** sets these preferences */
  opted_out: readonly string[];
  /** the mail server says that there is no such mailbox */
  bounces: boolean;
  /** text messages to this phone fail */
  phone_off: boolean;
};

/** The fields that differ between people; `true` invents an address or number. */
type Traits = Partial<Pick<DemoPerson, 'locale' | 'timezone' | 'push' | 'opted_out' | 'bounces' | 'phone_off'>> & {
  email?: true | string;
  phone?: true;
  /** names of people above */
  guardians?: readonly string[];
};

const USUAL = { locale: 'cs', timezone: null, push: false, opted_out: [], bounces: false, phone_off: false } as const;

/** Builds a list of people; ids come from names, phone numbers from positions in the list. */
export function directoryBuilder() {
  const people: DemoPerson[] = [];
  const add = (name: string, roles: Role[], traits: Traits, group?: string) => {
    const { email, phone, guardians = [] } = traits;
    const number = String(people.length + 1).padStart(2, '0');
    people.push({
      ...USUAL,
      ...traits,
      user_id: idOf(name),
      name,
      email: email === true ? `${idOf(name).replaceAll('-', '.')}@people.example` : (email ?? null),
      // Britain keeps these numbers free for films; the Czech ones are made up.
      phone: phone ? (traits.timezone === 'Europe/London' ? `+4477009000${number}` : `+4206010000${number}`) : null,
      roles,
      class_ids: group ? [`class-${group}`] : [],
      grade_level_ids: group ? [`grade-${group.slice(0, 1)}`] : [],
      guardians: guardians.map(idOf),
    });
  };
  return {
    people,
    staff: (name: string, traits: Traits = {}, roles: Role[] = ['staff']) => add(name, roles, traits),
    parent: (name: string, traits: Traits) => add(name, ['parent'], traits),
    student: (group: string, name: string, traits: Traits = {}) => add(name, ['student'], traits, group),
    visitor: (name: string, traits: Traits) => add(name, ['external'], traits),
  };
}

/** `Petra Nováková` → `petra-novakova` */
export const idOf = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll(' ', '-');

/** One NDJSON line of the contact import. */
export function contactLine(person: DemoPerson): string {
  const { push, opted_out, bounces, phone_off, ...contact } = person;
  return JSON.stringify(contact);
}

/** The claims of this person's token. */
export function callerOf(person: DemoPerson, directory: readonly DemoPerson[]): SignInPerson['caller'] {
  const { user_id, roles, class_ids, grade_level_ids } = person;
  const children = directory.filter(({ guardians }) => guardians.includes(user_id)).map((child) => child.user_id);
  return { ...DEMO_SCOPE, user_id, roles, class_ids, grade_level_ids, children };
}

const OFFERED: Readonly<Record<string, { role: string; permissions: 'admin' | 'student' }>> = {
  'Alena Horáková': { role: 'Member of staff', permissions: 'admin' },
  'Petra Nováková': { role: 'Parent of two', permissions: 'student' },
  'Anna Svobodová': { role: 'Student', permissions: 'student' },
  'Milan Host': { role: 'Visitor', permissions: 'student' },
};

/** The people of the demo school that the sign-in page offers. */
export const signInPeople = (directory: readonly DemoPerson[]): SignInPerson[] =>
  directory.flatMap((person) => {
    const offered = OFFERED[person.name];
    if (!offered) return [];
    const caller = { ...callerOf(person, directory), permissions: permissionsOf(offered.permissions) };
    return { name: person.name, role: offered.role, caller };
  });
