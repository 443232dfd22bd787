import { useEventOptions } from '../api/queries.ts';
import type { RegistrationCounts } from '../api/types.ts';
import { useFilterChange } from '../app/search.ts';
import { Chip } from '../parts/button.tsx';
import { Select } from '../parts/forms/field.tsx';
import { SearchBox } from '../parts/forms/search-box.tsx';
import { numberText, t, word } from '../texts/texts.ts';
import type { RegistrationSearch } from './data.ts';

type Counts = RegistrationCounts['counts'];

export const countOf = (counts: Counts, { status, kind }: RegistrationSearch): number =>
  counts
    .filter((one) => (!status || one.status === status) && (!kind || one.kind === kind))
    .reduce((sum, { count }) => sum + count, 0);

/** Filters by status, kind and name; the URL holds them. */
export function Filters({ counts, search }: { counts: Counts; search: RegistrationSearch }) {
  const change = useFilterChange<RegistrationSearch>();
  const options = useEventOptions();
  const statuses = [undefined, ...(options?.registration_statuses ?? new Set(counts.map((one) => one.status)))];
  const kinds = [...new Set(counts.map(({ kind }) => kind))];
  return (
    <div className="grid gap-3 lg:flex lg:items-center">
      <fieldset className="flex min-w-0 flex-wrap gap-2">
        <legend className="sr-only">{t('registrations.byStatus')}</legend>
        {statuses.map((status) => (
          <Chip key={status ?? 'all'} pressed={search.status === status} onClick={() => change({ status })}>
            {status ? word('registrationStatus', status) : t('registrations.all')}
            <span className="font-semibold tabular-nums">{numberText(countOf(counts, { ...search, status }))}</span>
          </Chip>
        ))}
      </fieldset>
      <div className="flex min-w-0 gap-2 lg:ml-auto">
        {kinds.length > 1 && (
          <Select
            hidesLabel
            label={t('registrations.kind')}
            value={search.kind ?? ''}
            onChange={(kind) => change({ kind: kind || undefined })}
            none={t('registrations.allKinds')}
            options={kinds.map((kind) => ({
              value: kind,
              label: `${word('kind', kind)} (${countOf(counts, { ...search, kind })})`,
            }))}
          />
        )}
        <SearchBox value={search.q ?? ''} onChange={(q) => change({ q })} />
      </div>
    </div>
  );
}
