import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { groupsQuery, useEventOptions, useMay } from '../api/queries.ts';
import type { Group } from '../api/types.ts';
import { Icon } from '../event-parts/icon.tsx';
import { Checkbox, Checkboxes } from '../parts/forms/checkbox.tsx';
import { TypedField } from '../parts/forms/search-box.tsx';
import { Loaded } from '../parts/page.tsx';
import { groupName, t, word } from '../texts/texts.ts';
import type { CalendarSearch } from './search.ts';

export type FilterProps = {
  search: CalendarSearch;
  onChange: (change: Partial<CalendarSearch>) => void;
};

/** The less common filters, behind one button. */
export default function OtherFilters(filters: FilterProps) {
  const { search, onChange } = filters;
  const options = useEventOptions();
  const groups = useQuery(groupsQuery);
  return (
    <div className="grid gap-3 p-1.5">
      <Loaded query={groups}>
        {({ class_ids, department_ids, categories, tags }) => (
          <>
            <Groups name="class" groups={class_ids} nameOf={groupName} {...filters} />
            <Groups name="department" groups={department_ids} nameOf={groupName} {...filters} />
            <Groups name="category" groups={categories} {...filters} />
            <Groups name="tags" groups={tags} {...filters} />
          </>
        )}
      </Loaded>
      <Part title={t('filter.days')}>
        <div className="grid grid-cols-2 gap-2 px-2">
          {(['from', 'to'] as const).map((end) => (
            <TypedField
              key={end}
              type="date"
              label={t(`filter.${end}`)}
              value={search[end] ?? ''}
              min={end === 'to' ? search.from : undefined}
              max={end === 'from' ? search.to : undefined}
              onChange={(day) => onChange({ [end]: day || undefined })}
              className="px-2! text-sm"
            />
          ))}
        </div>
        <Checkbox
          value={search.recurring ?? false}
          onChange={() => onChange({ recurring: search.recurring ? undefined : true })}
        >
          {t('filter.recurring')}
        </Checkbox>
      </Part>
      {useMay('create_event') && (
        <Part title={t('filter.more')}>
          <Checkboxes
            options={(options?.visibility ?? []).map(({ value, icon }) => ({
              value,
              label: [<Icon key={icon} name={icon} size={15} />, word('visibility', value)],
            }))}
            value={search.visibility}
            onChange={(visibility) => onChange({ visibility })}
          />
        </Part>
      )}
    </div>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="min-w-0">
    <legend className="px-2 pb-0.5 text-sm font-semibold text-soft">{title}</legend>
    {children}
  </fieldset>
);

type GroupsProps = FilterProps & {
  name: 'class' | 'department' | 'category' | 'tags';
  groups: readonly Group[];
  nameOf?: (id: string) => string;
};

/** Groups that have events, and chosen ones without, so that they can be unchosen. */
function Groups({ name, groups, nameOf = String, search, onChange }: GroupsProps) {
  const chosen = search[name] ?? [];
  const used = groups.filter(({ id, events }) => events > 0 || chosen.includes(id));
  const gone = chosen.filter((id) => !groups.some((group) => group.id === id));
  const all = [...used, ...gone.map((id) => ({ id, events: 0 }))];
  if (all.length === 0) return null;
  return (
    <Part title={t(`filter.${name}`)}>
      <div className="max-h-48 overflow-y-auto">
        <Checkboxes
          options={all.map(({ id, events }) => ({ value: id, label: <Counted name={nameOf(id)} events={events} /> }))}
          value={chosen}
          onChange={(ids) => onChange({ [name]: ids })}
        />
      </div>
    </Part>
  );
}

const Counted = ({ name, events }: { name: string; events: number }) => (
  <>
    <span className="min-w-0 grow truncate">{name}</span>
    <span className="shrink-0 text-sm text-soft tabular-nums">{t('calendar.count', { count: events })}</span>
  </>
);
