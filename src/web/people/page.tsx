import './texts.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Upload, UsersRound } from 'lucide-react';
import { groupsQuery } from '../api/queries.ts';
import type { Contact } from '../api/types.ts';
import { groupsText } from '../event-parts/people.ts';
import { buttonClass } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { inputClass } from '../parts/field.tsx';
import { Loaded, MoreButton } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { groupName } from '../texts/groups.ts';
import { t, word } from '../texts/texts.ts';
import { contactsQuery } from './data.ts';
import { FILTERS, type PeopleSearch } from './search.ts';

/** The directory of the school. */
function PeoplePage() {
  const search: PeopleSearch = Route.useSearch();
  const people = useInfiniteQuery(contactsQuery(search));
  return (
    <Page title={t('people.label')}>
      <header className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold">{t('people.label')}</h1>
        <Link to="/people/import" className={buttonClass()}>
          <Upload size={17} aria-hidden />
          {t('person.import')}
        </Link>
      </header>
      <Filters search={search} />
      <Loaded query={people} label={t('person.waiting')} lines={8}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={<UsersRound size={28} aria-hidden />} title={t('person.none')}>
              <p>{t(FILTERS.some((name) => search[name]) ? 'person.noneMatch' : 'person.noneText')}</p>
            </Empty>
          ) : (
            <ul
              aria-label={t('people.label')}
              aria-busy={people.isPlaceholderData}
              className="rounded-card border border-line bg-card"
            >
              {rows.map((person) => (
                <Row key={person.user_id} person={person} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton query={people} label={t('person.more')} />
    </Page>
  );
}

const ROLES = ['student', 'parent', 'staff', 'admin', 'external'] as const;

function Filters({ search }: { search: PeopleSearch }) {
  const navigate = Route.useNavigate();
  const { data: groups } = useQuery(groupsQuery);
  const put = (name: keyof PeopleSearch, value: string) =>
    void navigate({ search: { ...search, [name]: value || undefined }, replace: true, resetScroll: false });
  const classes = (groups?.class_ids ?? []).map(({ id }) => ({ value: id, label: groupName(id) }));
  const selects = [
    ['class_id', t('person.class_id'), classes],
    ['role', t('person.role'), ROLES.map((value) => ({ value, label: word('role', value) }))],
    ['left', t('person.whoLeft'), [{ value: 'true', label: t('person.left') }]],
  ] as const;
  return (
    <div className="mb-3 flex flex-wrap gap-2">
      <SearchBox label={t('person.search')} value={search.q ?? ''} onChange={(q) => put('q', q)} />
      {selects.map(([name, label, options]) => (
        <select
          key={name}
          aria-label={label}
          value={search[name] ?? ''}
          onChange={({ target }) => put(name, target.value)}
          className={`${inputClass} w-auto! max-sm:min-h-11 max-sm:grow`}
        >
          <option value="">{t(`person.any.${name}`)}</option>
          {options.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </select>
      ))}
    </div>
  );
}

const Row = ({ person }: { person: Contact }) => (
  <li className="relative border-t border-line px-4 py-3 first:border-t-0 hover:bg-hover">
    <Link
      to="/people/$id"
      params={{ id: person.user_id }}
      className="font-medium break-words after:absolute after:inset-0"
    >
      {person.name}
    </Link>
    <p className="text-sm break-words text-soft">
      {[groupsText(person), person.email, person.phone].filter(Boolean).join(' · ')}
    </p>
  </li>
);

export const Route = createLazyRoute('/signed-in/people')({ component: PeoplePage });
