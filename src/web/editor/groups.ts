import { useQuery } from '@tanstack/react-query';
import { groupsQuery } from '../api/queries.ts';
import type { Group } from '../api/types.ts';
import { groupName } from '../texts/groups.ts';
import { t } from '../texts/texts.ts';

type Choice = { value: string; label: string };

const choicesOf = (groups: readonly Group[] = []): Choice[] =>
  groups.map(({ id, people }) => {
    const name = groupName(id);
    return { value: id, label: people ? t('editor.groupSize', { name, people }) : name };
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
