import { useQuery } from '@tanstack/react-query';
import { optionsQuery } from '../api/queries.ts';
import type { DryRun, Options } from '../api/types.ts';
import { shortDay } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';

export type Scope = Options['edit_scopes'][number];

/** Chooses the dates of a series that an action concerns. */
export function ScopeChoice({ scope, onChange }: { scope: Scope; onChange: (scope: Scope) => void }) {
  const { data: options } = useQuery(optionsQuery);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium">{t('scope.label')}</legend>
      {options?.edit_scopes.map((one) => (
        <label key={one} className="flex min-h-8 items-center gap-2.5">
          <input
            type="radio"
            name="scope"
            checked={scope === one}
            onChange={() => onChange(one)}
            className="size-4 accent-(--color-accent)"
          />
          {t(`scope.${one}`)}
        </label>
      ))}
    </fieldset>
  );
}

/** The dates of a series that an action concerns, and those that it leaves as they are. */
export const ConcernedDates = ({ changed, left_out }: NonNullable<DryRun['occurrences']>) => (
  <div className="grid gap-1">
    {changed.length > 0 && <p>{t('series.dates', { dates: listOfDates(changed) })}</p>}
    {left_out.length > 0 && <p className="text-soft">{t('series.same', { dates: listOfDates(left_out) })}</p>}
  </div>
);

export const listOfDates = (rows: readonly { start_date: string }[]): string =>
  rows.map(({ start_date }) => shortDay(start_date)).join(', ');
