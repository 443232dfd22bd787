import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { errorText } from '../api/problem.ts';
import { ComboboxOption, intoView, useActiveOption, useDebounced } from '../parts/forms/combobox.tsx';
import { Field } from '../parts/forms/field.tsx';
import { Chosen } from '../parts/forms/pills.tsx';
import { announce } from '../parts/notices.tsx';
import { t } from '../texts/texts.ts';
import { groupsText, namesQuery, peopleQuery } from './people.ts';

const DEBOUNCE_MS = 150;

type Choice = { id: string; label: string; hint?: string };
/** What the server finds for the typed words; `more`: a sentence if there are more matches. */
export type Matches = Pick<UseQueryResult<Choice[]>, 'data' | 'error' | 'isPlaceholderData'> & { more?: string };

type PickerProps = {
  name?: string;
  label: string;
  hint: string;
  /** shown if nothing matches */
  none: string;
  /** the chosen ids */
  value: readonly string[];
  onChange: (ids: string[], added?: Choice) => void;
  /** the name of a chosen id, if it is known */
  nameOf: (id: string) => string | undefined;
  /** a hook that asks the server; asks nothing for '' */
  useMatches: (typed: string) => Matches;
};

/**
 * Picks items by name (ARIA combobox pattern): arrows move through the matches, Enter adds one, Esc closes the list,
 * Backspace in an empty field removes the last item.
 */
export function Picker({ name, label, hint, none, value: chosen, onChange, nameOf, useMatches }: PickerProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const asked = useDebounced(typed.trim(), DEBOUNCE_MS);
  const [isOpen, setOpen] = useState(false);
  const [picked, setPicked] = useState<ReadonlyMap<string, string>>(new Map());
  const { data, error, isPlaceholderData, more } = useMatches(asked);
  const labelOf = (one: string) => nameOf(one) ?? picked.get(one) ?? one;
  const isShown = isOpen && asked !== '' && typed.trim() !== '' && (data !== undefined || error !== null);
  const found = isShown ? (data ?? []).filter((one) => !chosen.includes(one.id)) : [];

  const count = isShown && !isPlaceholderData ? found.length : null;
  useEffect(() => {
    if (count !== null) announce(t('picker.found', { count }));
  }, [count]);

  const add = (choice: Choice) => {
    setPicked(new Map([...picked, [choice.id, choice.label]]));
    onChange([...chosen, choice.id], choice);
    announce(t('picker.chosen', { name: choice.label }));
    setTyped('');
    options.first();
    input.current?.focus();
  };
  const isFound = asked === typed.trim() && !isPlaceholderData;
  const options = useActiveOption(found, (choice) => isFound && add(choice));
  const { active } = options;
  const remove = (removed: string) => {
    announce(t('picker.removed', { name: labelOf(removed) }));
    onChange(chosen.filter((one) => one !== removed));
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
    <Field label={label} hint={hint}>
      {(props) => (
        <div className="relative">
          <div className="flex min-h-10 flex-wrap items-center gap-1.5 rounded-lg border border-edge bg-card px-2 py-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
            {chosen.map((one) => (
              <Chosen key={one} text={labelOf(one)} onRemove={() => remove(one)} />
            ))}
            <span className="flex min-w-[min(10rem,100%)] grow items-center gap-1.5 px-1">
              <Search size={15} className="shrink-0 text-soft" />
              <input
                {...props}
                ref={input}
                name={name}
                role="combobox"
                aria-autocomplete="list"
                aria-expanded={isShown}
                aria-controls={`${id}-list`}
                aria-activedescendant={active && `${id}-${active.id}`}
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
            // The whole list, also at the bottom of a phone.
            ref={found.length > 0 ? intoView : undefined}
            hidden={!isShown}
            onMouseDown={(event) => event.preventDefault()}
            className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-float"
          >
            <div id={`${id}-list`} role="listbox" aria-label={label} className="empty:hidden">
              {found.map((choice) => (
                <ComboboxOption
                  key={choice.id}
                  id={`${id}-${choice.id}`}
                  isActive={choice === active}
                  onPick={() => add(choice)}
                  className="min-h-10 flex-wrap py-1"
                >
                  <span className="font-medium">{choice.label}</span>
                  <span className="text-sm text-soft">{choice.hint}</span>
                </ComboboxOption>
              ))}
            </div>
            {error && <p className="px-2.5 py-2 text-sm text-bad">{errorText(error)}</p>}
            {!error && found.length === 0 && <p className="px-2.5 py-2 text-sm text-soft">{none}</p>}
            {more && <p className="px-2.5 py-2 text-sm text-soft">{more}</p>}
          </div>
        </div>
      )}
    </Field>
  );
}

type Props = Pick<PickerProps, 'name' | 'label' | 'value' | 'onChange'> & { hint?: string };

/** Picks people of the directory by name. */
export function PeoplePicker({ hint = t('people.hint'), ...rest }: Props) {
  const { data: names } = useQuery(namesQuery(rest.value));
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
  const found = useQuery(peopleQuery(typed));
  const data = found.data?.data.map((person) => ({ id: person.user_id, label: person.name, hint: groupsText(person) }));
  return { ...found, data, more: found.data?.has_more ? t('people.more') : undefined };
}
