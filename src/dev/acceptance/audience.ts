import type { DemoPerson } from '../school/demo-person.ts';
import type { EventAnswer } from './journal.ts';

type Audience = { people: string[]; others: { not_in_audience: string[]; not_visible: string[] } };

const ROLES_OF: Record<string, readonly string[]> = {
  students: ['student'],
  parents: ['parent'],
  staff: ['staff', 'admin'],
  external: ['external'],
};

/** Whom news of an event is for, and of the others whether they are not meant or may not see it. */
export function audienceOf(event: EventAnswer, people: readonly DemoPerson[]): Audience {
  const wanted = event.target_audience.includes('all')
    ? null
    : event.target_audience.flatMap((one) => ROLES_OF[one] ?? []);
  const inClass = ({ class_ids }: DemoPerson) => event.class_id === null || class_ids.includes(event.class_id);
  const told: string[] = [];
  const others = { not_in_audience: [] as string[], not_visible: [] as string[] };
  for (const person of people) {
    const family = [person, ...people.filter(({ guardians }) => guardians.includes(person.user_id))];
    if (!maySee(person, event)) others.not_visible.push(person.user_id);
    else if ((wanted && !person.roles.some((role) => wanted.includes(role))) || !family.some(inClass))
      others.not_in_audience.push(person.user_id);
    else told.push(person.user_id);
  }
  return { people: told, others };
}

function maySee({ roles }: DemoPerson, { visibility }: EventAnswer): boolean {
  if (visibility === 'public') return true;
  if (visibility === 'staff_only') return roles.includes('staff') || roles.includes('admin');
  return roles.some((role) => role !== 'external');
}
