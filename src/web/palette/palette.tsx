import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bell, CalendarSearch, Copy, type LucideIcon, Plus, Search, UserRound } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { errorText } from '../api/problem.ts';
import { useEventOptions, useMe } from '../api/queries.ts';
import type { KnownPerson, Permission } from '../api/types.ts';
import { useAccountItems } from '../app/account-menu.tsx';
import { type NavItem, navItemsOf } from '../app/nav-items.ts';
import { useFoundEvents } from '../event-parts/find-events.ts';
import { iconOf } from '../event-parts/icon.tsx';
import { groupsText, peopleQuery } from '../event-parts/people.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ComboboxOption, useActiveOption, useDebounced } from '../parts/forms/combobox.tsx';
import type { MenuItem } from '../parts/menu.tsx';
import { announce } from '../parts/notices.tsx';
import { whenText } from '../texts/dates.ts';
import { capital, t } from '../texts/texts.ts';

const DEBOUNCE_MS = 150;

type Props = {
  /** the text typed before this script had loaded */
  typed: string;
  onClose: () => void;
};

/** Finds events, people, pages and actions (ARIA combobox pattern). */
export default function Palette({ typed: before, onClose }: Props) {
  const id = useId();
  const [text, setText] = useState(before);
  const typed = text.trim();
  const asked = useDebounced(typed, DEBOUNCE_MS);
  const { groups, error } = useFound(typed, asked);
  const options = groups.flatMap((group) => group.options);
  const pick = ({ onSelect }: Option) => {
    onClose();
    onSelect();
  };
  const { active, first, onKeyDown } = useActiveOption(options, pick);
  const count = options.length;
  useEffect(() => {
    if (asked !== '') announce(t('palette.count', { count }));
  }, [asked, count]);
  return (
    <Dialog title={t('palette.search')} onClose={onClose} isAtTop>
      <div className="sticky top-0 z-1 -mx-1 bg-card px-1 pt-1.5 pb-2">
        <label className="flex min-h-11 items-center gap-2 rounded-lg border border-edge bg-card px-3 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
          <Search size={17} className="shrink-0 text-soft" />
          <span className="sr-only">{t('palette.search')}</span>
          <input
            role="combobox"
            aria-autocomplete="list"
            aria-expanded
            aria-controls={`${id}-list`}
            aria-activedescendant={active ? `${id}-${active.id}` : undefined}
            autoComplete="off"
            enterKeyHint="go"
            value={text}
            onChange={({ target }) => {
              setText(target.value);
              first();
            }}
            onKeyDown={onKeyDown}
            className="min-h-10 w-full min-w-0 bg-transparent outline-none"
          />
        </label>
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={t('palette.search')}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not a fieldset
          <div key={group.label} role="group" aria-label={group.label} className="mb-2">
            <p aria-hidden className="px-2.5 py-1 text-xs font-semibold text-soft">
              {group.label}
            </p>
            {group.options.map((option) => (
              <ComboboxOption
                key={option.id}
                id={`${id}-${option.id}`}
                isActive={option === active}
                onPick={() => pick(option)}
                className="min-h-11 py-1.5"
              >
                {option.icon && <option.icon size={17} className="shrink-0 text-soft" />}
                <span className="min-w-0">
                  <span className="block font-medium wrap-break-word">{option.label}</span>
                  {option.hint && <span className="block text-sm text-soft">{capital(option.hint)}</span>}
                </span>
              </ComboboxOption>
            ))}
          </div>
        ))}
      </div>
      {error ? <p className="px-2.5 text-sm text-bad">{errorText(error)}</p> : null}
    </Dialog>
  );
}

type Option = MenuItem & { id: string };

/** An address without parameters. */
type Static = NavItem['to'] | '/events/new' | '/events/copy' | '/inbox';

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();

/** The options of the palette for the typed text: events and people that the server finds for `asked`, pages and actions. */
function useFound(typed: string, asked: string): { groups: { label: string; options: Option[] }[]; error: unknown } {
  const navigate = useNavigate();
  const me = useMe();
  const options = useEventOptions();
  const account = useAccountItems();
  const may = (permission: Permission) => me?.may.includes(permission) ?? false;
  const events = useFoundEvents(asked);
  const people = useQuery({ ...peopleQuery(asked), enabled: asked !== '' && may('choose_audience') });

  /** The person's page for those who may see it, else messages, the events of their class or those they organize. */
  const showPerson = ({ user_id, class_ids: [group] }: KnownPerson) => {
    if (may('manage_contacts')) return navigate({ to: '/people/$id', params: { id: user_id } });
    if (may('manage_deliveries')) return navigate({ to: '/ops', search: { user_id } });
    return navigate({ to: '/events', search: group ? { class: [group] } : { organizer: [user_id] } });
  };
  const iconFor = (type: string) => iconOf(options?.event_types.find(({ value }) => value === type)?.icon);
  const foundEvents = (events.data ?? []).map((event) => ({
    id: event.id,
    label: event.title,
    hint: whenText(event),
    icon: iconFor(event.event_type),
    onSelect: () => void navigate({ to: '/events/$id', params: { id: event.id } }),
  }));
  const foundPeople = (people.data?.data ?? []).slice(0, 5).map((person) => ({
    id: `person-${person.user_id}`,
    label: person.name,
    hint: groupsText(person),
    icon: UserRound,
    onSelect: () => void showPerson(person),
  }));
  const all: Option = {
    id: 'all',
    label: t('palette.all', { words: typed }),
    icon: CalendarSearch,
    onSelect: () => void navigate({ to: '/events', search: ({ view, date }) => ({ view, date, q: typed }) }),
  };
  const goTo = (to: Static, label: string, icon: LucideIcon): Option => ({
    id: to,
    label,
    icon,
    onSelect: () => void navigate({ to }),
  });
  const actions: Option[] = [
    ...(may('create_event')
      ? [goTo('/events/new', t('nav.new'), Plus), goTo('/events/copy', t('copy.title'), Copy)]
      : []),
    ...navItemsOf(me).map(({ to, text, icon }) => goTo(to, t(text), icon)),
    goTo('/inbox', t('nav.inbox'), Bell),
    ...account.map((item) => ({ ...item, id: item.label })),
  ];
  const isFound = asked === typed && !events.isPlaceholderData;
  const groups = [
    // Enter opens no event that was found for another text.
    { label: t('nav.events'), options: isFound ? [...foundEvents, all] : [all, ...foundEvents] },
    { label: t('people.label'), options: foundPeople },
    {
      label: t('palette.actions'),
      options: actions.filter(({ label }) => folded(label).includes(folded(typed))),
    },
  ].filter((group) => group.options.length > 0);
  // When nothing is typed, the queries still have what they found for the last text.
  return typed === '' ? { groups: groups.slice(-1), error: null } : { groups, error: events.error };
}
