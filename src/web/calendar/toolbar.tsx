import { CalendarDays, ChevronDown, Columns3, List, Plus, Square } from 'lucide-react';
import { useMay } from '../api/queries.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Choice } from '../parts/forms/choice.tsx';
import { Popover } from '../parts/popover.tsx';
import { StepButton } from '../parts/step-button.tsx';
import { capital, t, word } from '../texts/texts.ts';
import { MonthPicker } from './mini-month.tsx';
import { VIEWS, type View } from './search.ts';
import type { ShownCalendar } from './use-calendar.ts';

type Props = {
  calendar: ShownCalendar;
  /** month or days shown, or what the list is */
  heading: string;
  /** names the zone of the times shown, if readers could mistake it for theirs */
  zone: string | undefined;
  onView: (view: View) => void;
  onDate: (date: string) => void;
  onStep: (by: 1 | -1) => void;
};

const PICTURES: Record<View, typeof List> = { month: CalendarDays, week: Columns3, day: Square, agenda: List };

/** The period shown, with buttons to change it, and those for the view. */
export function Toolbar({ calendar, heading, zone, onView, onDate, onStep }: Props) {
  const { view, date, today, isList, isPhone } = calendar;
  const views = isPhone ? VIEWS.filter((one) => one === 'agenda' || one === 'month') : VIEWS;
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:gap-x-1">
      {isList ? (
        <h1 className="text-base leading-tight font-semibold sm:text-xl">{heading}</h1>
      ) : (
        <>
          <Button onClick={() => onDate(today)} title={t('calendar.todayKey')}>
            {t('calendar.today')}
          </Button>
          <div className="flex">
            <StepButton by={-1} onStep={onStep} />
            <StepButton by={1} onStep={onStep} />
          </div>
          <Popover
            label={t('calendar.pick')}
            className="w-80 rounded-2xl p-3"
            wrap={(button) => <h1 className="min-w-0">{button}</h1>}
            trigger={
              <button
                type="button"
                className="flex items-center gap-1 rounded-lg px-1.5 py-1 max-sm:min-h-11 text-left text-base leading-tight font-semibold hover:bg-hover sm:text-xl"
              >
                <span>{capital(heading)}</span>
                <ChevronDown size={17} className="shrink-0 text-soft" />
                <span className="sr-only">{t('calendar.pick')}</span>
              </button>
            }
          >
            {(close) => (
              <MonthPicker
                chosen={date}
                today={today}
                onChoose={(day) => {
                  close();
                  onDate(day);
                }}
              />
            )}
          </Popover>
        </>
      )}
      {zone && <p className="text-sm text-soft">{zone}</p>}
      <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:w-full max-sm:justify-between">
        <Choice
          hidesLabel
          label={t('calendar.view')}
          value={isList ? null : view}
          onChange={onView}
          options={views.map((value) => ({ value, label: word('view', value), icon: PICTURES[value] }))}
        />
        {useMay('create_event') && (
          <ButtonLink to="/events/new" look="main" icon={Plus} aria-label={t('nav.new')}>
            <span className="hidden sm:inline">{t('nav.new')}</span>
          </ButtonLink>
        )}
      </div>
    </div>
  );
}
