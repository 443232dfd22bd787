import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { errorText } from '../api/problem.ts';
import { invalidateEvent, optionsQuery } from '../api/queries.ts';
import type { Action, SchoolEvent } from '../api/types.ts';
import { AudiencePreview } from '../parts/audience.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Skeleton } from '../parts/empty.tsx';
import { Field, inputClass } from '../parts/field.tsx';
import { showNotice } from '../parts/notices.tsx';
import { NotifySwitch } from '../parts/notify-switch.tsx';
import { t, word } from '../texts/texts.ts';
import { type Details, dryRun, perform } from './perform.ts';

/** Actions that need a reason. */
const ASKS_REASON: readonly Action[] = ['cancel', 'postpone'];

/** Confirms an action: shows its dry run, collects a reason or a new date, and performs it. */
export default function ActionDialog({
  event,
  action,
  onClose,
}: {
  event: SchoolEvent;
  action: Action;
  onClose: () => void;
}) {
  const navigate = useNavigate();
  const { data: options } = useQuery(optionsQuery);
  const form = useId();
  const [reason, setReason] = useState('');
  const [date, setDate] = useState('');
  const [time, setTime] = useState(event.start_time ?? '');
  const [isUnknown, setUnknown] = useState(false);
  const [notify, setNotify] = useState<boolean>();
  const asksReason = ASKS_REASON.includes(action);

  const choice = notify === undefined ? {} : { notify };
  const details = (): Details => {
    if (action === 'cancel') return { reason, ...choice };
    if (action !== 'postpone') return {};
    const moved = isUnknown ? { new_start_date: null } : { new_start_date: date };
    return { reason, ...choice, ...moved, ...(isUnknown || event.all_day || !time ? {} : { new_start_time: time }) };
  };
  // Recipients depend neither on the reason nor on the date.
  const sample: Details =
    action === 'cancel'
      ? { reason: '–', ...choice }
      : action === 'postpone'
        ? { reason: '–', new_start_date: null, ...choice }
        : {};
  const preview = useQuery({
    // The key does not begin with `event`: invalidating the event would repeat the dry run, which then fails.
    queryKey: ['dry-run', event.id, action, notify],
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: () => dryRun(event.id, action, sample),
    staleTime: 0,
  });
  const submission = useMutation({
    mutationFn: () => perform(event.id, action, details()),
    retry: false,
    onSuccess: async (after) => {
      onClose();
      showNotice(t('actions.done', { action: word('done', action), title: event.title }));
      if (action === 'duplicate' && after) await navigate({ to: '/events/$id/edit', params: { id: after.id } });
      if (action === 'delete') await navigate({ to: '/events' });
      await invalidateEvent(event.id);
    },
  });
  const isComplete = (!asksReason || reason.trim() !== '') && (action !== 'postpone' || isUnknown || date !== '');
  const look = action === 'cancel' || action === 'delete' ? 'danger' : 'main';
  return (
    <Dialog
      title={`${word('action', action)}: ${event.title}`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t(action === 'cancel' ? 'dialog.goBack' : 'dialog.cancel')}</Button>
          <Button type="submit" form={form} look={look} busy={submission.isPending} disabled={!isComplete}>
            {preview.data && preview.data.people > 0
              ? t('actions.andNotify', { action: word('action', action), people: preview.data.people })
              : word('action', action)}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-4"
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (isComplete) submission.mutate();
        }}
      >
        {action === 'postpone' && (
          <div className="grid gap-2">
            <div className="grid grid-cols-2 gap-3">
              <Field label={t('actions.newDate')}>
                {(props) => (
                  <input
                    {...props}
                    type="date"
                    className={inputClass}
                    value={date}
                    disabled={isUnknown}
                    onChange={({ target }) => setDate(target.value)}
                  />
                )}
              </Field>
              {!event.all_day && (
                <Field label={t('actions.newTime')}>
                  {(props) => (
                    <input
                      {...props}
                      type="time"
                      className={inputClass}
                      value={time}
                      disabled={isUnknown}
                      onChange={({ target }) => setTime(target.value)}
                    />
                  )}
                </Field>
              )}
            </div>
            <label className="flex min-h-8 items-center gap-2">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={isUnknown}
                onChange={({ target }) => setUnknown(target.checked)}
              />
              {t('actions.dateUnknown')}
            </label>
          </div>
        )}
        {asksReason && (
          <Field label={t('actions.reason')} hint={t('actions.reasonHint')}>
            {(props) => (
              <textarea
                {...props}
                rows={2}
                maxLength={options?.limits.reason}
                className={inputClass}
                value={reason}
                onChange={({ target }) => setReason(target.value)}
              />
            )}
          </Field>
        )}
        {preview.data ? (
          <>
            <AudiencePreview dryRun={preview.data} />
            {asksReason && <NotifySwitch event={event} dryRun={preview.data} notify={notify} onChange={setNotify} />}
          </>
        ) : preview.error ? (
          <p role="alert" className="text-bad">
            {errorText(preview.error)}
          </p>
        ) : (
          <Skeleton lines={1} label={t('actions.counting')} />
        )}
        {submission.error && (
          <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-bad">
            {errorText(submission.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
