import { useQuery } from '@tanstack/react-query';
import { t } from '../texts/texts.ts';
import { groupsText, namesQuery, peopleQuery } from './people.ts';
import { type Matches, Picker, type PickerProps } from './picker.tsx';

type Props = Pick<PickerProps, 'name' | 'label' | 'chosen' | 'onChange'> & { hint?: string };

/** Picks people of the directory by name. */
export function PeoplePicker({ hint = t('people.hint'), ...rest }: Props) {
  const { data: names } = useQuery(namesQuery(rest.chosen));
  return (
    <Picker
      {...rest}
      hint={hint}
      none={t('people.none')}
      nameOf={(user_id) => names?.get(user_id)?.name}
      useMatches={usePeople}
    />
  );
}

function usePeople(typed: string): Matches {
  const { data, error, isPlaceholderData } = useQuery(peopleQuery(typed));
  return {
    data: data?.data.map((person) => ({ id: person.user_id, label: person.name, hint: groupsText(person) })),
    error,
    isPlaceholderData,
    more: data?.has_more ? t('people.more') : undefined,
  };
}
