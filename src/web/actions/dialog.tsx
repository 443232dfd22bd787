import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { invalidateEvent } from '../api/queries.ts';
import { serverNow } from '../api/server-clock.ts';
import type { Action, SchoolEvent } from '../api/types.ts';
import { lastSearch } from '../calendar/search.ts';
import { AudiencePreview } from '../dry-run/audience.tsx';
import { instantOf } from '../editor/draft/wall-time.ts';
import { ReasonField } from '../event-parts/reason-field.tsx';
import { ConcernedDates, NotifySwitch, type Scope, ScopeChoice } from '../event-parts/scope-choice.tsx';
import { AskDialog } from '../parts/ask.tsx';
import { Checkbox } from '../parts/forms/checkbox.tsx';
import { Choice } from '../parts/forms/choice.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { Loaded } from '../parts/page.tsx';
import { isUndecided, momentIn, whenText, zoneHint, zoneText } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';
import { DANGEROUS, type Details, dryRun, perform, SCOPED, showDone } from './perform.ts';

/** Actions that need a reason. */
const ASKS_REASON: readonly Action[] = ['cancel', 'postpone'];

/** Actions whose own button begins with “Cancel” in a language. */
const GOES_BACK: readonly Action[] = ['cancel', 'unpublish'];

type Props = {
  event: SchoolEvent;
  action: Action;
  /** the dates of a series that are chosen first */
  scope?: Scope;
  onClose: () => void;
  onDone?: () => void;
  /** the server refused the dry run */
  onRefused?: (error: unknown) => void;
};

/** Confirms an action: shows its dry run, collects a reason, a new date or when to publish, and performs it. */
export default function ActionDialog({ event, action, scope: first = 'this', onClose, onDone, onRefused }: Props) {
  const navigate = useNavigate();
  const [reason, setReason] = useState('');
  const [moved, setMoved] = useState<NewDate>({ date: '', time: event.start_time ?? '', isUnknown: false });
  const [publishTime, setPublishTime] = useState<string | null>(null);
  const [notify, setNotify] = useState<boolean>();
  const [chosen, setScope] = useState(first);
  const isScoped = event.is_recurring && SCOPED.includes(action);
  const scope = isScoped ? chosen : undefined;
  const asksReason = ASKS_REASON.includes(action);
  const postpones = action === 'postpone';
  const wanted = postpones ? startOf(event, moved) : publishTime;
  const { future, isPast } = futureOf(wanted, event.timezone);
  const publish_at = publishTime && future;

  const details: Details = {
    ...(asksReason && { reason, notify }),
    ...(postpones && newDateOf(event, moved)),
  };
  // Recipients don't depend on the reason, and without a possible date the preview is of a postponement without one.
  const sample = {
    ...details,
    ...(asksReason && { reason: '–' }),
    ...(postpones && !future && { new_start_date: null, new_start_time: undefined }),
  };
  const preview = useQuery({
    // The key does not begin with `event`: invalidating the event would repeat the dry run, which then fails.
    queryKey: ['dry-run', event.id, action, scope, sample],
    queryFn: () =>
      dryRun(event.id, action, sample, { scope }).catch((error: unknown) => {
        onRefused?.(error);
        throw error;
      }),
  });
  const finish = async (after: Partial<SchoolEvent>) => {
    showDone(event.id, doneText(event, action, publish_at), after.undo, people);
    if (action === 'duplicate' && after.id) await navigate({ to: '/events/$id/edit', params: { id: after.id } });
    if (action === 'delete') await navigate({ to: '/events', search: lastSearch.get() });
    await invalidateEvent(event.id);
    onDone?.();
  };
  const isComplete =
    preview.data !== undefined &&
    !preview.isPlaceholderData &&
    (!asksReason || reason.trim() !== '') &&
    (wanted === null || future !== null);
  const people = preview.data?.people ?? 0;
  return (
    <AskDialog
      title={`${word('action', action)}: ${event.title}`}
      confirm={publishTime === null ? confirmText(action, people) : t('action.schedule')}
      look={DANGEROUS.includes(action) ? 'danger' : 'main'}
      cancel={t(GOES_BACK.includes(action) ? 'dialog.goBack' : 'dialog.cancel')}
      disabled={!isComplete}
      run={() => perform(event.id, publish_at ? 'schedule' : action, publish_at ? { publish_at } : details, { scope })}
      onDone={finish}
      onClose={onClose}
    >
      {action === 'publish' && event.allowed_actions.includes('schedule') && (
        <PublishTimeFields event={event} value={publishTime} onChange={setPublishTime} isPast={isPast} />
      )}
      {postpones && <NewDateFields event={event} value={moved} onChange={setMoved} isPast={isPast} />}
      {isScoped && <ScopeChoice scope={chosen} onChange={setScope} />}
      {asksReason && <ReasonField hint={t('actions.reasonHint')} rows={2} value={reason} onChange={setReason} />}
      <Loaded query={preview}>
        {(data) => (
          <>
            {/* Without a new date, it would be published on its old one. */}
            {isUndecided(event) && data.event && <p className="font-medium">{whenText(data.event)}</p>}
            {data.occurrences && <ConcernedDates {...data.occurrences} />}
            <AudiencePreview dryRun={data} />
            {asksReason && <NotifySwitch event={event} dryRun={data} notify={notify} onChange={setNotify} />}
          </>
        )}
      </Loaded>
    </AskDialog>
  );
}

/** The instant of a local time, and null if it is past: then the API would publish immediately, and postpones nothing. */
function futureOf(wall: string | null, zone: string) {
  const instant = instantOf(wall ?? '', zone);
  const future = instant && Date.parse(instant) > serverNow() ? instant : null;
  return { future, isPast: instant !== future };
}

/** When a postponed event would start, as a local time: null if that is not known yet, empty until a date is entered. */
const startOf = ({ start_time }: SchoolEvent, { date, time, isUnknown }: NewDate): string | null =>
  isUnknown ? null : date && `${date}T${time || start_time || '00:00'}`;

/** The fields of a postponement; the time stays as it is if none was entered. */
function newDateOf({ all_day }: SchoolEvent, { date, time, isUnknown }: NewDate): Details {
  if (isUnknown) return { new_start_date: null };
  return { new_start_date: date, new_start_time: all_day || !time ? undefined : time };
}

function confirmText(action: Action, people: number): string {
  const label = word('action', action);
  return people > 0 ? t('actions.andNotify', { action: label, people }) : label;
}

const doneText = ({ title, timezone }: SchoolEvent, action: Action, publish_at: string | null): string =>
  publish_at
    ? t('publish.scheduled', { title, when: momentIn(publish_at, timezone) })
    : `${word('done', action)}: ${title}`;

type TimeFieldsProps<T> = { event: SchoolEvent; value: T; onChange: (value: T) => void; isPast: boolean };

type NewDate = { date: string; time: string; isUnknown: boolean };

/** The date to which an event is postponed, with its time unless it lasts all day; or that it is not known yet. */
const NewDateFields = ({ event, value, onChange, isPast }: TimeFieldsProps<NewDate>) => (
  <div className="grid gap-2">
    <div className="grid grid-cols-2 gap-3">
      <TextField
        type="date"
        label={t('actions.newDate')}
        fault={isPast ? t('fault.future') : undefined}
        value={value.date}
        disabled={value.isUnknown}
        onChange={(date) => onChange({ ...value, date })}
      />
      {!event.all_day && (
        <TextField
          type="time"
          label={t('actions.newTime')}
          hint={zoneHint(event.timezone, event.starts_at)}
          value={value.time}
          disabled={value.isUnknown}
          onChange={(time) => onChange({ ...value, time })}
        />
      )}
    </div>
    <Checkbox value={value.isUnknown} onChange={(isUnknown) => onChange({ ...value, isUnknown })}>
      {t('actions.dateUnknown')}
    </Checkbox>
  </div>
);

/** When an event is published: null for now, or a later local time, which is empty at first. */
const PublishTimeFields = ({ event, value, onChange, isPast }: TimeFieldsProps<string | null>) => (
  <>
    <Choice
      label={t('publish.when')}
      value={value === null ? 'now' : 'later'}
      onChange={(when) => onChange(when === 'now' ? null : '')}
      options={(['now', 'later'] as const).map((when) => ({ value: when, label: t(`publish.${when}`) }))}
    />
    {value !== null && (
      <TextField
        type="datetime-local"
        label={t('publish.at')}
        hint={t('calendar.zone', { zone: zoneText(event.timezone) })}
        fault={isPast ? t('fault.future') : undefined}
        value={value}
        onChange={onChange}
      />
    )}
  </>
);
