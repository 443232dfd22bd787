import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Repeat } from 'lucide-react';
import { api, unwrap } from '../../api/client.ts';
import { Field, inputClass } from '../../parts/field.tsx';
import { isDay, longDay, shortDay, weekdayLong } from '../../texts/dates.ts';
import { t, word } from '../../texts/texts.ts';
import { useEditing, useSet, useValue } from '../context.tsx';
import type { Draft } from '../draft.ts';
import { Input } from '../inputs.tsx';

/** The recurrence rule, summarised with the first dates that the API computes from it. */
export function Recurrence() {
  const { options, event, form, faultOf } = useEditing();
  const set = useSet();
  const pattern = useValue('recurrence_pattern');
  const ends = useValue('ends');
  const isFixed = event?.is_recurring ?? false;
  const choose = (value: Draft['recurrence_pattern']) => {
    const { suggested_count = null } = options.recurrence_patterns.find((one) => one.value === value) ?? {};
    set('recurrence_pattern', value);
    form.setValue('recurrence_count', suggested_count === null ? '' : String(suggested_count));
  };
  return (
    <section className="grid gap-4 rounded-xl border border-line p-4">
      {isFixed ? (
        <p className="text-soft">{t('recurrence.fixed')}</p>
      ) : (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t('recurrence.label')} fault={faultOf('recurrence_pattern')}>
            {(props) => (
              <select
                {...props}
                value={pattern}
                onChange={({ target }) => choose(target.value as Draft['recurrence_pattern'])}
                className={inputClass}
              >
                {options.recurrence_patterns.map(({ value }) => (
                  <option key={value} value={value}>
                    {word('recurrence', value)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {pattern !== 'none' && (
            <div className="grid grid-cols-2 gap-3">
              <Field label={t('recurrence.ends')}>
                {(props) => (
                  <select
                    {...props}
                    value={ends}
                    onChange={({ target }) => set('ends', target.value as Draft['ends'])}
                    className={inputClass}
                  >
                    <option value="count">{t('recurrence.byCount')}</option>
                    <option value="date">{t('recurrence.byDate')}</option>
                  </select>
                )}
              </Field>
              {ends === 'count' ? (
                <Input
                  name="recurrence_count"
                  type="number"
                  min="1"
                  inputMode="numeric"
                  label={t('recurrence.count')}
                />
              ) : (
                <Input name="recurrence_end_date" type="date" label={t('recurrence.until')} />
              )}
            </div>
          )}
        </div>
      )}
      {pattern !== 'none' && <Summary />}
      {pattern !== 'none' && !isFixed && <p className="text-sm text-soft">{t('recurrence.later')}</p>}
    </section>
  );
}

function Summary() {
  const pattern = useValue('recurrence_pattern');
  const start_date = useValue('start_date');
  const ends = useValue('ends');
  const count = Number(useValue('recurrence_count'));
  const end = useValue('recurrence_end_date');
  const query = {
    start_date,
    recurrence_pattern: pattern,
    ...(ends === 'count' && count > 0 ? { recurrence_count: count } : {}),
    ...(ends === 'date' && isDay(end) ? { recurrence_end_date: end } : {}),
  };
  const { data, error } = useQuery({
    queryKey: ['occurrences', query],
    queryFn: ({ signal }) => unwrap(api.GET('/api/v1/operations/events/occurrences', { params: { query }, signal })),
    enabled: isDay(start_date),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (error) return <p className="font-medium text-bad">{t('recurrence.empty')}</p>;
  if (!data) return null;
  const day = start_date.slice(8).replace(/^0/, '');
  const rule = t(`recurrence.rule.${pattern as 'daily'}`, { weekday: weekdayLong(start_date), day });
  return (
    <div className="grid gap-2" aria-live="polite">
      <p className="flex items-start gap-2.5 font-medium">
        <Repeat size={18} aria-hidden className="mt-0.5 shrink-0 text-accent" />
        {t('recurrence.sentence', { rule, count: data.count, last: longDay(data.last ?? start_date) })}
      </p>
      <ol className="flex flex-wrap gap-1.5 pl-7">
        {data.dates.map((date) => (
          <li key={date} className="rounded-md bg-hover px-2 py-0.5 text-sm">
            {shortDay(date)}
          </li>
        ))}
        {data.count > data.dates.length && (
          <li className="px-1 text-sm text-soft">{t('recurrence.more', { count: data.count - data.dates.length })}</li>
        )}
      </ol>
    </div>
  );
}
