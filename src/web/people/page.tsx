import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Upload, UsersRound } from 'lucide-react';
import { groupsQuery } from '../api/queries.ts';
import { useFilterChange } from '../app/search.ts';
import { groupsText } from '../event-parts/people.ts';
import { ButtonLink } from '../parts/button.tsx';
import { Select } from '../parts/forms/field.tsx';
import { partsOf } from '../parts/forms/parts-of.ts';
import { SearchBox } from '../parts/forms/search-box.tsx';
import { Empty, List, Page, PageHeader } from '../parts/page.tsx';
import { capital, groupName, t, wordOptions } from '../texts/texts.ts';
import { contactsQuery, type PeopleSearch, ROLES } from './data.ts';

/** The directory of the school. */
export default function PeoplePage() {
  const search: PeopleSearch = useSearch({ from: '/signed-in/people' });
  const people = useInfiniteQuery(contactsQuery(search));
  return (
    <Page title={t('people.label')} needs="manage_contacts">
      <PageHeader title={t('people.label')}>
        <ButtonLink to="/people/import" icon={Upload}>
          {t('person.import')}
        </ButtonLink>
      </PageHeader>
      <Filters search={search} />
      <List
        label={t('people.label')}
        query={people}
        none={
          <Empty
            icon={UsersRound}
            title={t('person.none')}
            text={t(Object.values(search).some(Boolean) ? 'person.noneMatch' : 'person.noneText')}
          />
        }
      >
        {(person) => (
          <li key={person.user_id} className="relative px-4 py-3 hover:bg-hover">
            <Link
              to="/people/$id"
              params={{ id: person.user_id }}
              className="font-medium break-words after:absolute after:inset-0"
            >
              {person.name}
            </Link>
            <p className="text-sm break-words text-soft">
              {capital([groupsText(person), person.email, person.phone].filter(Boolean).join(' · '))}
            </p>
          </li>
        )}
      </List>
    </Page>
  );
}

function Filters({ search }: { search: PeopleSearch }) {
  const put = useFilterChange<PeopleSearch>();
  const part = partsOf('', search, put);
  const { data: groups } = useQuery(groupsQuery);
  const classes = (groups?.class_ids ?? []).map(({ id }) => ({ value: id, label: groupName(id) }));
  const selects = [
    ['class_id', t('filter.class'), t('filter.allClasses'), classes],
    ['role', t('person.role'), t('person.any.role'), wordOptions('role', ROLES)],
    ['left', t('person.whoLeft'), t('person.any.left'), [{ value: 'true', label: t('person.left') }]],
  ] as const;
  return (
    <div data-print="no" className="mb-3 flex flex-wrap gap-2">
      <SearchBox value={search.q ?? ''} onChange={(q) => put({ q })} />
      {selects.map(([name, label, none, options]) => (
        <Select key={name} hidesLabel label={label} none={none} options={options} {...part(name)} />
      ))}
    </div>
  );
}
