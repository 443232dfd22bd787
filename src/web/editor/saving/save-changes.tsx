import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { invalidateEvent } from '../../api/queries.ts';
import type { DryRun, SchoolEvent } from '../../api/types.ts';
import { AudiencePreview } from '../../dry-run/audience.tsx';
import { listOfDates, NotifySwitch, type Scope, ScopeChoice } from '../../event-parts/scope-choice.tsx';
import { AskDialog } from '../../parts/ask.tsx';
import { Checkbox } from '../../parts/forms/checkbox.tsx';
import { showNotice } from '../../parts/notices.tsx';
import { Skeleton } from '../../parts/page.tsx';
import { t } from '../../texts/texts.ts';
import type { EventForm } from '../form.ts';

type Props = {
  event: SchoolEvent;
  form: EventForm;
  onClose: () => void;
  /** the server refused the changes; the state of the form has the reasons */
  onFaults: () => void;
  onDone: () => void;
};

/** Shows the dry run of an edit, and saves it. */
export default function SaveChanges({ event, form, onClose, onFaults, onDone }: Props) {
  const [scope, setScope] = useState<Scope>('this');
  const [notify, setNotify] = useState<boolean>();
  const [cancels, setCancels] = useState(false);
  const patch = form.unsaved();
  const ofRule = Object.keys(form.changedRule()).length;
  const how = { scope, notify, ...(cancels ? { registered_dates: 'cancel' as const } : {}) };
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['dry-run', 'edit', event.id, event.updated_at, patch, how],
    queryFn: async () => {
      const preview = await form.dryRun(how);
      if (!preview) onFaults();
      return preview;
    },
  });
  const save = async () => {
    if (!(await form.saveChanges(how))) return onFaults();
    showNotice(t('form.savedAll'));
    await invalidateEvent(event.id);
    onDone();
  };
  return (
    <AskDialog
      title={t('editor.saveTitle')}
      confirm={t('form.save')}
      disabled={!data || isPlaceholderData}
      run={save}
      onClose={onClose}
    >
      {/* The rule is that of the whole series. */}
      {event.is_recurring && Object.keys(patch).length > ofRule && <ScopeChoice scope={scope} onChange={setScope} />}
      {data ? (
        <>
          {ofRule > 0 && data.occurrences && (
            <SeriesOutcome outcome={data.occurrences} cancels={cancels} onCancels={setCancels} />
          )}
          <AudiencePreview dryRun={data} />
          <NotifySwitch event={event} dryRun={data} notify={notify} onChange={setNotify} />
        </>
      ) : (
        <Skeleton />
      )}
    </AskDialog>
  );
}

type Outcome = NonNullable<DryRun['occurrences']>;

const SHOWN = ['added', 'cancelled', 'deleted'] as const;

type OutcomeProps = { outcome: Outcome; cancels: boolean; onCancels: (cancels: boolean) => void };

/** The dates that a new recurrence rule adds and removes, and those that stay because people are registered. */
function SeriesOutcome({ outcome: { changed, left_out }, cancels, onCancels }: OutcomeProps) {
  const kept = left_out.filter(({ code }) => code === 'has_registrations');
  const groups = SHOWN.map((change) => ({ change, dates: changed.filter((one) => one.change === change) }));
  return (
    <div className="grid gap-2">
      {groups.map(
        ({ change, dates }) => dates.length > 0 && <p key={change}>{t(`series.${change}`, listOf(dates))}</p>,
      )}
      {kept.length > 0 && <p>{t('series.kept', listOf(kept))}</p>}
      {(kept.length > 0 || cancels) && (
        <Checkbox value={cancels} onChange={onCancels}>
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
