import type { DemoPerson } from '../school/demo-person.ts';
import type { EventAnswer } from './expectations.ts';

/** The fields that decide who is notified of an event. */
type Aimed = Pick<EventAnswer, 'visibility' | 'target_audience' | 'class_id' | 'grade_level_ids'>;

type Audience = { people: string[]; others: { not_in_audience: string[]; not_visible: string[] } };

const ROLES_OF: Record<string, readonly string[]> = {
  students: ['student'],
  parents: ['parent'],
  staff: ['staff', 'admin'],
  external: ['external'],
};

/** Splits people into the audience of an event, members outside it, and people who may not see it. */
export function audienceOf(event: Aimed, people: readonly DemoPerson[]): Audience {
  const wanted = event.target_audience.includes('all')
    ? null
    : event.target_audience.flatMap((one) => ROLES_OF[one] ?? []);
  const { class_id, grade_level_ids: grades } = event;
  const inGroup = (person: DemoPerson) =>
    (class_id === null || person.class_ids.includes(class_id)) &&
    (grades.length === 0 || person.grade_level_ids.some((grade) => grades.includes(grade)));
  const audience: string[] = [];
  const others = { not_in_audience: [] as string[], not_visible: [] as string[] };
  for (const person of people) {
    const family = [person, ...people.filter(({ guardians }) => guardians.includes(person.user_id))];
    if (!maySee(person, event)) others.not_visible.push(person.user_id);
    else if ((wanted && !person.roles.some((role) => wanted.includes(role))) || !family.some(inGroup))
      others.not_in_audience.push(person.user_id);
    else audience.push(person.user_id);
  }
  return { people: audience, others };
}

function maySee({ roles }: DemoPerson, { visibility }: Aimed): boolean {
  if (visibility === 'public') return true;
  if (visibility === 'staff_only') return roles.includes('staff') || roles.includes('admin');
  return roles.some((role) => role !== 'external');
}
