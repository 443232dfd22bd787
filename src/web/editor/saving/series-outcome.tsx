import type { DryRun } from '../../api/types.ts';
import { listOfDates } from '../../event-parts/scope-choice.tsx';
import { Checkbox } from '../../parts/forms/field.tsx';
import { t } from '../../texts/texts.ts';

type Outcome = NonNullable<DryRun['occurrences']>;

const SHOWN = ['added', 'cancelled', 'deleted'] as const;

type Props = { outcome: Outcome; cancels: boolean; onCancels: (cancels: boolean) => void };

/** The dates that a new recurrence rule adds and removes, and those that stay because people are registered. */
export function SeriesOutcome({ outcome: { changed, left_out }, cancels, onCancels }: Props) {
  const kept = left_out.filter(({ code }) => code === 'has_registrations');
  const groups = SHOWN.map((change) => ({ change, dates: changed.filter((one) => one.change === change) }));
  return (
    <div className="grid gap-2">
      {groups.map(
        ({ change, dates }) => dates.length > 0 && <p key={change}>{t(`series.${change}`, listOf(dates))}</p>,
      )}
      {kept.length > 0 && <p>{t('series.kept', listOf(kept))}</p>}
      {(kept.length > 0 || cancels) && (
        <Checkbox checked={cancels} onChange={onCancels}>
          {t('series.cancelRegistered')}
        </Checkbox>
      )}
    </div>
  );
}

const listOf = (rows: readonly { start_date: string }[]) => ({
  count: rows.length,
  dates: listOfDates(rows),
});
