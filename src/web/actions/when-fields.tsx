import type { SchoolEvent } from '../api/types.ts';
import { Choice } from '../parts/forms/choice.tsx';
import { Checkbox, TextField } from '../parts/forms/field.tsx';
import { zoneText } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';

type Props<T> = { event: SchoolEvent; value: T; onChange: (value: T) => void };

export type NewDate = { date: string; time: string; isUnknown: boolean };

/** The date to which an event is postponed, with its time unless it lasts all day; or that it is not known yet. */
export const NewDateFields = ({ event, value, onChange }: Props<NewDate>) => (
  <div className="grid gap-2">
    <div className="grid grid-cols-2 gap-3">
      <TextField
        type="date"
        label={t('actions.newDate')}
        value={value.date}
        disabled={value.isUnknown}
        onChange={(date) => onChange({ ...value, date })}
      />
      {!event.all_day && (
        <TextField
          type="time"
          label={t('actions.newTime')}
          value={value.time}
          disabled={value.isUnknown}
          onChange={(time) => onChange({ ...value, time })}
        />
      )}
    </div>
    <Checkbox checked={value.isUnknown} onChange={(isUnknown) => onChange({ ...value, isUnknown })}>
      {t('actions.dateUnknown')}
    </Checkbox>
  </div>
);

/** When an event is published: null for now, or a later local time, which is empty at first. */
export const PublishTimeFields = ({ event, value, onChange }: Props<string | null>) => (
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
        hint={t('editor.zone', { zone: zoneText(event.timezone) })}
        value={value}
        onChange={onChange}
      />
    )}
  </>
);
