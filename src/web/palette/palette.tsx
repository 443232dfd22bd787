import { Search } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { errorText } from '../api/problem.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ComboboxOption, useDebounced, useOptions } from '../parts/forms/combobox.tsx';
import { announce } from '../parts/notices.tsx';
import { t } from '../texts/texts.ts';
import { type Option, useFound } from './use-found.tsx';

const DEBOUNCE_MS = 150;

/** Finds events, people, pages and actions (ARIA combobox pattern). */
export default function Palette({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const typed = text.trim();
  const asked = useDebounced(typed, DEBOUNCE_MS);
  const { groups, error } = useFound(typed, asked);
  const options = groups.flatMap((group) => group.options);
  const pick = ({ onSelect }: Option) => {
    onClose();
    onSelect();
  };
  const { active, first, onKeyDown } = useOptions(options, pick);
  const count = options.length;
  useEffect(() => {
    if (asked !== '') announce(t('palette.count', { count }));
  }, [asked, count]);
  return (
    <Dialog title={t('palette.title')} onClose={onClose} isAtTop>
      <div className="sticky top-0 z-1 -mx-1 bg-card px-1 pt-1.5 pb-2">
        <label className="flex min-h-11 items-center gap-2 rounded-lg border border-edge bg-card px-3 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
          <Search size={17} className="shrink-0 text-soft" />
          <span className="sr-only">{t('palette.title')}</span>
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
      <div id={`${id}-list`} role="listbox" aria-label={t('palette.title')}>
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
                  {option.hint && <span className="block text-sm text-soft first-letter:uppercase">{option.hint}</span>}
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
