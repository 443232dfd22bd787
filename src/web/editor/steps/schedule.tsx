import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Repeat } from 'lucide-react';
import { ApiError, errorText } from '../../api/problem.ts';
import { getQuery } from '../../api/queries.ts';
import { Select, ZoneSelect } from '../../parts/forms/field.tsx';
import { isDay, longDay, shortDay, weekdayLong } from '../../texts/dates.ts';
import { t, word } from '../../texts/texts.ts';
import { Clashes } from '../clashes.tsx';
import { useEditing } from '../context.tsx';
import type { Draft } from '../draft/draft.ts';
import { Input, Toggle } from '../inputs.tsx';

/** Step 2: dates, times and recurrence. */
export function Schedule() {
  const { draft, field } = useEditing();
  const { all_day } = draft;
  const together = 'flex flex-wrap gap-3 *:grow';
  return (
    <>
      <Toggle name="all_day" />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,19.5rem),1fr))] gap-4">
        <div className={together}>
          <Input name="start_date" type="date" />
          {!all_day && <Input name="start_time" type="time" />}
        </div>
        <div className={together}>
          <Input name="end_date" type="date" />
          {!all_day && <Input name="end_time" type="time" />}
        </div>
      </div>
      <div className="grid sm:max-w-sm">
        <ZoneSelect {...field('timezone')} />
      </div>
      <Clashes />
      <Recurrence />
    </>
  );
}

/** The recurrence rule, summarised with the first dates that the API computes from it. */
function Recurrence() {
  const { draft, edit, options, event, field } = useEditing();
  const { recurrence_pattern: pattern, ends } = draft;
  const isSeries = event?.is_recurring ?? false;
  // The first date of a series is known only on its first event.
  const isFirst = !event?.parent_event_id;
  const patterns = options.recurrence_patterns.filter(({ value }) => !isSeries || value !== 'none');
  const choose = (value: Draft['recurrence_pattern']) => {
    const { suggested_count } = options.recurrence_patterns.find((one) => one.value === value) ?? {};
    edit({ recurrence_pattern: value, recurrence_count: String(suggested_count ?? '') });
  };
  return (
    <section className="grid gap-4 rounded-xl border border-line p-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          {...field('recurrence_pattern')}
          onChange={choose}
          options={patterns.map(({ value }) => ({ value, label: word('recurrence', value) }))}
        />
        {pattern !== 'none' && (
          <div className="grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] gap-3">
            <Select
              {...field('ends')}
              options={[
                { value: 'count', label: t('recurrence.byCount') },
                { value: 'date', label: t('recurrence.byDate') },
              ]}
            />
            {ends === 'count' ? (
              <Input name="recurrence_count" inputMode="numeric" />
            ) : (
              <Input name="recurrence_end_date" type="date" />
            )}
          </div>
        )}
      </div>
      {pattern !== 'none' && isFirst && <Summary />}
      {isSeries && <p className="text-sm text-soft">{t('recurrence.wholeSeries')}</p>}
    </section>
  );
}

/** Fields that the dates follow from. */
const RULE = ['start_date', 'recurrence_pattern', 'recurrence_count', 'recurrence_end_date'] as const;

function Summary() {
  const { draft: given, faultOf } = useEditing();
  const { start_date, recurrence_pattern: pattern, ends, ...draft } = given;
  const count = Number(draft.recurrence_count);
  const end = draft.recurrence_end_date;
  const query = {
    start_date,
    recurrence_pattern: pattern,
    recurrence_count: ends === 'count' && count > 0 ? count : undefined,
    recurrence_end_date: ends === 'date' && isDay(end) ? end : undefined,
  };
  const { data, error } = useQuery({
    ...getQuery(['occurrences', query], '/api/v1/operations/events/occurrences', { query }),
    enabled: isDay(start_date),
    placeholderData: keepPreviousData,
    retry: false,
  });
  // The fault of a field says more than that there are no dates.
  if (RULE.some(faultOf)) return null;
  if (error) {
    const isRefused = error instanceof ApiError && error.code === 'validation_failed';
    return <p className="font-medium text-bad">{isRefused ? t('recurrence.empty') : errorText(error)}</p>;
  }
  if (!data) return null;
  const day = start_date.slice(8).replace(/^0/, '');
  const rule = t(`recurrence.rule.${pattern as 'daily'}`, { weekday: weekdayLong(start_date), day });
  return (
    <div className="grid gap-2" aria-live="polite">
      <p className="flex items-start gap-2.5 font-medium">
        <Repeat size={18} className="mt-0.5 shrink-0 text-accent" />
        {t('recurrence.sentence', { rule, count: data.count, last: longDay(data.last) })}
      </p>
      <ol className="flex flex-wrap gap-1.5 pl-7">
        {data.dates.map((date) => (
          <li key={date} className="rounded-md bg-hover px-2 py-0.5 text-sm">
            {shortDay(date)}
          </li>
        ))}
        {data.count > data.dates.length && (
          <li className="px-1 text-sm text-soft">{t('list.more', { count: data.count - data.dates.length })}</li>
        )}
      </ol>
    </div>
  );
}
