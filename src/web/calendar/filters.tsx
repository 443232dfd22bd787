import { ChevronDown, Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEventOptions, useMay, useMe } from '../api/queries.ts';
import { toneOf } from '../event-parts/badge.tsx';
import { Icon } from '../event-parts/icon.tsx';
import { Chip, chipClass } from '../parts/button.tsx';
import { Checkboxes } from '../parts/forms/checkbox.tsx';
import { lazily } from '../parts/lazily.tsx';
import { Popover } from '../parts/popover.tsx';
import { t, word, wordOptions } from '../texts/texts.ts';
import type { FilterProps } from './other-filters.tsx';
import { countFilters, countOthers, flipped, NO_FILTERS, QUICK } from './search.ts';

const OtherFilters = lazily(() => import('./other-filters.tsx'));

/** Quick filters as chips, the others behind buttons; the URL holds all of them. */
export function Filters({ search, onChange }: FilterProps) {
  const options = useEventOptions();
  const mayCreate = useMay('create_event');
  const family = useMe()?.children ?? [];
  const { quick, type, status, child } = search;
  const ids = family.map(({ user_id }) => user_id);
  const count = countFilters(search);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of filters, not a form that is sent
    <div
      role="group"
      aria-label={t('filter.label')}
      className="flex items-center gap-2 overflow-x-auto py-0.5 *:shrink-0 max-sm:-mx-3 max-sm:px-3"
    >
      {search.q && (
        <Chip pressed onClick={() => onChange({ q: undefined })}>
          <Search size={14} />
          {t('filter.words', { words: search.q })}
        </Chip>
      )}
      {family.length === 1 && (
        <Chip pressed={child !== undefined} onClick={() => onChange({ child: child ? undefined : ids })}>
          {t('filter.children')}
        </Chip>
      )}
      {family.length > 1 && (
        <Choices label={t('filter.children')} chosen={child?.length ?? 0}>
          <Checkboxes
            options={family.map(({ user_id, name }) => ({ value: user_id, label: name ?? user_id }))}
            value={child}
            onChange={(chosen) => onChange({ child: chosen })}
          />
        </Choices>
      )}
      {QUICK.filter((one) => mayCreate || one !== 'my_events').map((one) => (
        <Chip
          key={one}
          pressed={quick?.includes(one) ?? false}
          onClick={() => onChange({ quick: flipped(quick, one) })}
        >
          {word('quick', one)}
        </Chip>
      ))}
      {mayCreate && (
        <Chip pressed={search.drafts ?? false} onClick={() => onChange({ drafts: search.drafts ? undefined : true })}>
          {t('filter.drafts')}
        </Chip>
      )}
      <Choices label={t('filter.type')} chosen={type?.length ?? 0}>
        <Checkboxes
          options={(options?.event_types ?? []).map(({ value, icon, color }) => ({
            value,
            label: [
              <span
                key={value}
                data-color={toneOf(color)}
                className="grid size-6 place-items-center rounded-md bg-(--tone-soft) text-(--tone-text)"
              >
                <Icon name={icon} size={14} />
              </span>,
              word('type', value),
            ],
          }))}
          value={type}
          onChange={(chosen) => onChange({ type: chosen })}
        />
      </Choices>
      {mayCreate && (
        <Choices label={t('filter.status')} chosen={status?.length ?? 0}>
          <Checkboxes
            options={wordOptions('status', options?.statuses ?? [])}
            value={status}
            onChange={(chosen) => onChange({ status: chosen })}
          />
        </Choices>
      )}
      <Choices label={t('filter.others')} chosen={countOthers(search)} className="w-92 rounded-xl p-1.5">
        <OtherFilters search={search} onChange={onChange} />
      </Choices>
      {count > 0 && (
        <button
          type="button"
          className="inline-flex min-h-8 max-sm:min-h-11 items-center gap-1 rounded-full px-2 text-sm font-medium text-accent-text hover:bg-hover"
          onClick={() => onChange(NO_FILTERS)}
        >
          <X size={15} />
          {t('filter.clear', { count })}
        </button>
      )}
    </div>
  );
}

type ChoicesProps = { label: string; chosen: number; className?: string; children: ReactNode };

const Choices = ({ label, chosen, className = 'w-60 rounded-xl p-1.5', children }: ChoicesProps) => (
  <Popover
    label={label}
    className={className}
    trigger={
      <button
        type="button"
        className={`${chipClass} ${chosen > 0 ? 'border-accent bg-accent-soft text-accent-text' : ''}`}
      >
        {label}
        {chosen > 0 && <span className="tabular-nums">({chosen})</span>}
        <ChevronDown size={14} />
      </button>
    }
  >
    {() => children}
  </Popover>
);
