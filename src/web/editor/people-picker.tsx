import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { errorText } from '../api/problem.ts';
import type { KnownPerson } from '../api/types.ts';
import { groupsText, namesQuery, peopleQuery } from '../event-parts/people.ts';
import { announce } from '../parts/notices.tsx';
import { intoView, useDebounced, useOptions } from '../parts/use-options.ts';
import { t } from '../texts/texts.ts';
import { Chip } from './pills.tsx';

const DEBOUNCE_MS = 150;

type Props = { label: string; hint?: string; chosen: readonly string[]; onChange: (user_ids: string[]) => void };

/**
 * Picks people by name (ARIA combobox pattern): arrows move through the matches, Enter adds one, Esc closes the list,
 * Backspace in an empty field removes the last person.
 */
export function PeoplePicker({ label, hint = t('people.hint'), chosen, onChange }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const asked = useDebounced(typed.trim(), DEBOUNCE_MS);
  const [isOpen, setOpen] = useState(false);
  const [picked, setPicked] = useState<ReadonlyMap<string, string>>(new Map());
  const { data: names } = useQuery(namesQuery(chosen));
  const { data, error, isPlaceholderData } = useQuery(peopleQuery(asked));
  const nameOf = (user_id: string) => names?.get(user_id)?.name ?? picked.get(user_id) ?? user_id;
  const isShown = isOpen && asked !== '' && typed.trim() !== '' && (data !== undefined || error !== null);
  const found = isShown ? (data?.data ?? []).filter(({ user_id }) => !chosen.includes(user_id)) : [];

  const count = isShown && !isPlaceholderData ? found.length : null;
  useEffect(() => {
    if (count !== null) announce(t('people.found', { count }));
  }, [count]);

  // Scroll the whole list into view, also at the bottom of a phone.
  const hasList = isShown && found.length > 0;
  useEffect(() => {
    if (hasList) list.current?.scrollIntoView({ block: 'nearest' });
  }, [hasList]);

  const add = ({ user_id, name }: KnownPerson) => {
    setPicked(new Map([...picked, [user_id, name]]));
    onChange([...chosen, user_id]);
    announce(t('people.chosen', { name }));
    setTyped('');
    options.first();
    input.current?.focus();
  };
  const options = useOptions(found, (person) => !isPlaceholderData && add(person));
  const { active } = options;
  const remove = (user_id: string) => {
    announce(t('people.removed', { name: nameOf(user_id) }));
    onChange(chosen.filter((one) => one !== user_id));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key } = event;
    options.onKeyDown(event);
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      setOpen(true);
    } else if (key === 'Escape' && isShown) {
      event.preventDefault();
      setOpen(false);
    } else if (key === 'Backspace' && typed === '' && chosen.length > 0) {
      remove(chosen.at(-1) as string);
    }
  };
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <div className="relative">
        <div className="flex min-h-10 flex-wrap items-center gap-1.5 rounded-lg border border-edge bg-card px-2 py-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
          {chosen.map((user_id) => (
            <Chip key={user_id} text={nameOf(user_id)} onRemove={() => remove(user_id)} />
          ))}
          <span className="flex min-w-40 grow items-center gap-1.5 px-1">
            <Search size={15} aria-hidden className="shrink-0 text-soft" />
            <input
              ref={input}
              id={id}
              role="combobox"
              aria-autocomplete="list"
              aria-expanded={isShown}
              aria-controls={`${id}-list`}
              aria-activedescendant={isShown && active ? `${id}-${active.user_id}` : undefined}
              aria-describedby={`${id}-hint`}
              autoComplete="off"
              value={typed}
              onChange={({ target }) => {
                setTyped(target.value);
                options.first();
                setOpen(true);
              }}
              onFocus={() => setOpen(true)}
              onBlur={() => setOpen(false)}
              onKeyDown={onKeyDown}
              className="min-h-8 w-full min-w-0 bg-transparent outline-none"
            />
          </span>
        </div>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a click must not move the focus, or the list closes */}
        <div
          ref={list}
          hidden={!isShown}
          onMouseDown={(event) => event.preventDefault()}
          className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-float"
        >
          <div id={`${id}-list`} role="listbox" aria-label={label} className="empty:hidden">
            {found.map((person) => (
              <div
                key={person.user_id}
                id={`${id}-${person.user_id}`}
                role="option"
                aria-selected={person === active}
                tabIndex={-1}
                ref={person === active ? intoView : undefined}
                onClick={() => add(person)}
                onKeyDown={undefined}
                className="flex min-h-10 cursor-pointer flex-wrap items-center gap-x-2.5 rounded-lg px-2.5 py-1 hover:bg-hover aria-selected:bg-accent-soft aria-selected:text-accent-text"
              >
                <span className="font-medium">{person.name}</span>
                <span className="text-sm text-soft">{groupsText(person)}</span>
              </div>
            ))}
          </div>
          {error && <p className="px-2.5 py-2 text-sm text-bad">{errorText(error)}</p>}
          {!error && found.length === 0 && <p className="px-2.5 py-2 text-sm text-soft">{t('people.none')}</p>}
          {data?.has_more && <p className="px-2.5 py-2 text-sm text-soft">{t('people.more')}</p>}
        </div>
      </div>
      <p id={`${id}-hint`} className="text-sm text-soft">
        {hint}
      </p>
    </div>
  );
}
