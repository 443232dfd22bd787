import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { wordsOf } from '../api/problem.ts';
import { eventChanged, optionsQuery } from '../api/queries.ts';
import type { Action, SchoolEvent } from '../api/types.ts';
import { AudienceTold } from '../parts/audience.tsx';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Field, inputClass } from '../parts/field.tsx';
import { notify } from '../parts/notices.tsx';
import { TellSwitch } from '../parts/tell-switch.tsx';
import { t, word } from '../texts/texts.ts';
import { type Details, foresee, perform } from './perform.ts';

/** Which actions ask for words first, and which for a date; the others only show whom they would tell. */
const ASKS_REASON: readonly Action[] = ['cancel', 'postpone'];

/** Asks once before something is done that others hear of: shows the dry run, takes a reason or dates, and does it. */
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
  const [tells, setTells] = useState<boolean>();
  const asksReason = ASKS_REASON.includes(action);

  const telling = tells === undefined ? {} : { notify: tells };
  const details = (): Details => {
    if (action === 'cancel') return { reason, ...telling };
    if (action !== 'postpone') return {};
    const moved = isUnknown ? { new_start_date: null } : { new_start_date: date };
    return { reason, ...telling, ...moved, ...(isUnknown || event.all_day || !time ? {} : { new_start_time: time }) };
  };
  // Who would be told does not depend on the reason or on the date.
  const sample: Details =
    action === 'cancel'
      ? { reason: '–', ...telling }
      : action === 'postpone'
        ? { reason: '–', new_start_date: null, ...telling }
        : {};
  const foreseen = useQuery({
    // Not among the queries of the event: once the action is done it would be asked again, and refused.
    queryKey: ['foresight', event.id, action, tells],
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: () => foresee(event.id, action, sample),
    staleTime: 0,
  });
  const doing = useMutation({
    mutationFn: () => perform(event.id, action, details()),
    retry: false,
    onSuccess: async (after) => {
      onClose();
      notify(t('actions.done', { action: word('done', action), title: event.title }));
      if (action === 'duplicate' && after) await navigate({ to: '/events/$id/edit', params: { id: after.id } });
      if (action === 'delete') await navigate({ to: '/events' });
      await eventChanged(event.id);
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
          <Button onClick={onClose}>{t('dialog.back')}</Button>
          <Button type="submit" form={form} look={look} busy={doing.isPending} disabled={!isComplete}>
            {foreseen.data && foreseen.data.people > 0
              ? t('actions.andTell', { action: word('action', action), people: foreseen.data.people })
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
          if (isComplete) doing.mutate();
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
        {foreseen.data ? (
          <>
            <AudienceTold foresight={foreseen.data} />
            {asksReason && <TellSwitch event={event} foresight={foreseen.data} notify={tells} onChange={setTells} />}
          </>
        ) : foreseen.error ? (
          <p role="alert" className="text-bad">
            {wordsOf(foreseen.error)}
          </p>
        ) : (
          <Waiting lines={1} label={t('actions.counting')} />
        )}
        {doing.error && (
          <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-bad">
            {wordsOf(doing.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
