import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { groupsQuery, useEventOptions } from '../api/queries.ts';
import type { Group, SchoolEvent } from '../api/types.ts';
import { Select } from '../parts/forms/field.tsx';
import { partsOf } from '../parts/forms/parts-of.ts';
import { Pills } from '../parts/forms/pills.tsx';
import { groupName, t, wordOptions } from '../texts/texts.ts';
import { nextAudience } from './visibility.ts';

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

type SelectProps = Omit<ComponentProps<typeof Select<string>>, 'options'> & { groups: readonly Choice[] };

/** One group of a kind, or none; hidden if there is nothing to choose. */
export function GroupSelect({ groups, ...field }: SelectProps) {
  const { value = '' } = field;
  if (groups.length === 0 && value === '') return null;
  const isGone = value !== '' && !groups.some((one) => one.value === value);
  return <Select {...field} options={[...(isGone ? [{ value, label: groupName(value) }] : []), ...groups]} />;
}

/** `class_id`: '' for all classes. */
type Audience = Pick<SchoolEvent, 'target_audience' | 'grade_level_ids'> & { class_id: string };
type Props = { audience: Audience; fault?: string; onChange: (change: Partial<Audience>) => void };

/** The people that an event or a message is for. */
export function AudienceFields({ audience, fault, onChange }: Props) {
  const options = useEventOptions();
  const { classes, grades } = useGroups();
  const { target_audience } = audience;
  const part = partsOf('', audience, onChange);
  return (
    <>
      <Pills
        label={t('people.label')}
        choices={wordOptions('audience', options?.target_audience ?? target_audience)}
        value={target_audience}
        onChange={(chosen) => onChange({ target_audience: nextAudience(target_audience, chosen) })}
      />
      <div className="grid empty:hidden sm:max-w-sm">
        <GroupSelect
          label={t('filter.class')}
          none={t('filter.allClasses')}
          groups={classes}
          {...part('class_id')}
          fault={fault}
        />
      </div>
      <Pills label={t('filter.grades')} hint={t('filter.gradesHint')} choices={grades} {...part('grade_level_ids')} />
    </>
  );
}
