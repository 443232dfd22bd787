import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { invalidateEvent } from '../api/queries.ts';
import type { Action, SchoolEvent } from '../api/types.ts';
import { lastSearch } from '../calendar/search.ts';
import { AudiencePreview } from '../dry-run/audience.tsx';
import { NotifySwitch } from '../event-parts/notify-switch.tsx';
import { ReasonField } from '../event-parts/reason-field.tsx';
import { ConcernedDates, type Scope, ScopeChoice } from '../event-parts/scope-choice.tsx';
import { AskDialog } from '../parts/ask.tsx';
import { Checkbox, TextField } from '../parts/forms/field.tsx';
import { Loaded } from '../parts/page.tsx';
import { t, word } from '../texts/texts.ts';
import { type Details, dryRun, perform } from './perform.ts';
import { showDone } from './undo.ts';

/** Actions that need a reason. */
const ASKS_REASON: readonly Action[] = ['cancel', 'postpone'];

/** Actions that may concern several dates of a series. */
const SCOPED: readonly Action[] = ['publish', 'unpublish', 'cancel', 'postpone', 'schedule', 'return', 'delete'];

type Props = { event: SchoolEvent; action: Action; onClose: () => void };

/** Confirms an action: shows its dry run, collects a reason or a new date, and performs it. */
export default function ActionDialog({ event, action, onClose }: Props) {
  const navigate = useNavigate();
  const [reason, setReason] = useState('');
  const [date, setDate] = useState('');
  const [time, setTime] = useState(event.start_time ?? '');
  const [isUnknown, setUnknown] = useState(false);
  const [notify, setNotify] = useState<boolean>();
  const [chosen, setScope] = useState<Scope>('this');
  const isScoped = event.is_recurring && SCOPED.includes(action);
  const scope = isScoped ? chosen : undefined;
  const asksReason = ASKS_REASON.includes(action);
  const postpones = action === 'postpone';

  const details = (): Details => {
    if (!asksReason) return {};
    if (!postpones) return { reason, notify };
    if (isUnknown) return { reason, notify, new_start_date: null };
    return { reason, notify, new_start_date: date, new_start_time: event.all_day || !time ? undefined : time };
  };
  // Recipients don't depend on the reason, and without a date yet the preview is of a postponement without one.
  const sample = {
    ...details(),
    ...(asksReason && { reason: '–' }),
    ...(postpones && !date && { new_start_date: null }),
  };
  const preview = useQuery({
    // The key does not begin with `event`: invalidating the event would repeat the dry run, which then fails.
    queryKey: ['dry-run', event.id, action, scope, sample],
    queryFn: () => dryRun(event.id, action, sample, { scope }),
  });
  const finish = async (after: Partial<SchoolEvent>) => {
    showDone(event.id, `${word('done', action)}: ${event.title}`, after.undo, people);
    if (action === 'duplicate' && after.id) await navigate({ to: '/events/$id/edit', params: { id: after.id } });
    if (action === 'delete') await navigate({ to: '/events', search: lastSearch.get() });
    await invalidateEvent(event.id);
  };
  const isComplete = (!asksReason || reason.trim() !== '') && (!postpones || isUnknown || date !== '');
  const people = preview.data?.people ?? 0;
  const label = word('action', action);
  return (
    <AskDialog
      title={`${label}: ${event.title}`}
      confirm={people > 0 ? t('actions.andNotify', { action: label, people }) : label}
      look={action === 'cancel' || action === 'delete' ? 'danger' : 'main'}
      cancel={t(action === 'cancel' ? 'dialog.goBack' : 'dialog.cancel')}
      disabled={!isComplete}
      run={() => perform(event.id, action, details(), { scope })}
      onDone={finish}
      onClose={onClose}
    >
      {postpones && (
        <div className="grid gap-2">
          <div className="grid grid-cols-2 gap-3">
            <TextField type="date" label={t('actions.newDate')} value={date} disabled={isUnknown} onChange={setDate} />
            {!event.all_day && (
              <TextField
                type="time"
                label={t('actions.newTime')}
                value={time}
                disabled={isUnknown}
                onChange={setTime}
              />
            )}
          </div>
          <Checkbox checked={isUnknown} onChange={setUnknown}>
            {t('actions.dateUnknown')}
          </Checkbox>
        </div>
      )}
      {isScoped && <ScopeChoice scope={chosen} onChange={setScope} />}
      {asksReason && <ReasonField hint={t('actions.reasonHint')} rows={2} value={reason} onChange={setReason} />}
      <Loaded query={preview} lines={1}>
        {(data) => (
          <>
            {data.occurrences && <ConcernedDates {...data.occurrences} />}
            <AudiencePreview dryRun={data} />
            {asksReason && <NotifySwitch event={event} dryRun={data} notify={notify} onChange={setNotify} />}
          </>
        )}
      </Loaded>
    </AskDialog>
  );
}
