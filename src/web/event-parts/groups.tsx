import { useQuery } from '@tanstack/react-query';
import { groupsQuery } from '../api/queries.ts';
import type { Group } from '../api/types.ts';
import { Select } from '../parts/forms/field.tsx';
import { groupName, t } from '../texts/texts.ts';

type Choice = { value: string; label: string };

const choicesOf = (groups: readonly Group[] = []): Choice[] =>
  groups.map(({ id, people }) => {
    const name = groupName(id);
    return { value: id, label: people ? t('filter.groupSize', { name, people }) : name };
  });

/** Classes, grades and departments to choose from, with their number of people. */
export function useGroups(): Record<'classes' | 'grades' | 'departments', Choice[]> {
  const { data } = useQuery(groupsQuery);
  return {
    classes: choicesOf(data?.class_ids),
    grades: choicesOf(data?.grade_level_ids),
    departments: choicesOf(data?.department_ids),
  };
}

type Props = {
  name: string;
  label: string;
  none: string;
  groups: readonly Choice[];
  value: string;
  fault?: string;
  onChange: (id: string) => void;
};

/** One group of a kind, or none; hidden if there is nothing to choose. */
export function GroupSelect({ groups, ...field }: Props) {
  const { value } = field;
  if (groups.length === 0 && value === '') return null;
  const isGone = value !== '' && !groups.some((one) => one.value === value);
  return <Select {...field} options={[...(isGone ? [{ value, label: groupName(value) }] : []), ...groups]} />;
}
