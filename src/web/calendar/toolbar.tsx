import { Link } from '@tanstack/react-router';
import { CalendarDays, ChevronDown, ChevronLeft, ChevronRight, Columns3, List, Plus, Square } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonClass } from '../parts/button.tsx';
import { Popover } from '../parts/popover.tsx';
import { t, word } from '../texts/texts.ts';
import { MiniMonth } from './mini-month.tsx';
import { VIEWS, type View } from './search.ts';

type Props = {
  view: View;
  date: string;
  today: string;
  /** month or days shown */
  heading: string;
  mayCreate: boolean;
  isPhone: boolean;
  onView: (view: View) => void;
  onDate: (date: string) => void;
  onStep: (by: 1 | -1) => void;
};

const PICTURES: Record<View, typeof List> = { month: CalendarDays, week: Columns3, day: Square, agenda: List };

/** The period shown, with buttons to change it and the view. */
export function Toolbar({ view, date, today, heading, mayCreate, isPhone, onView, onDate, onStep }: Props) {
  const [month, setMonth] = useState(date);
  const views = isPhone ? VIEWS.filter((one) => one === 'agenda' || one === 'month') : VIEWS;
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:gap-x-1">
      <Button onClick={() => onDate(today)} title={t('calendar.todayKey')}>
        {t('calendar.today')}
      </Button>
      <div className="flex">
        <Button look="quiet" className="px-1.5!" aria-label={t('calendar.previous')} onClick={() => onStep(-1)}>
          <ChevronLeft size={20} aria-hidden />
        </Button>
        <Button look="quiet" className="px-1.5!" aria-label={t('calendar.next')} onClick={() => onStep(1)}>
          <ChevronRight size={20} aria-hidden />
        </Button>
      </div>
      <Popover
        label={t('calendar.pick')}
        className="w-80 rounded-2xl p-3"
        wrap={(button) => <h1 className="min-w-0">{button}</h1>}
        onOpen={() => setMonth(date)}
        trigger={
          <button
            type="button"
            className="flex items-center gap-1 rounded-lg px-1.5 py-1 text-left text-base leading-tight font-semibold hover:bg-hover sm:text-xl"
          >
            <span className="inline-block first-letter:uppercase">{heading}</span>
            <ChevronDown size={17} aria-hidden className="shrink-0 text-soft" />
            <span className="sr-only">{t('calendar.pick')}</span>
          </button>
        }
      >
        {(close) => (
          <MiniMonth
            month={month}
            chosen={date}
            today={today}
            onMonth={setMonth}
            onChoose={(day) => {
              close();
              onDate(day);
            }}
          />
        )}
      </Popover>
      <div className="ml-auto flex items-center gap-2 max-sm:w-full max-sm:justify-between">
        <fieldset className="flex rounded-lg border border-line bg-card p-0.5">
          <legend className="sr-only">{t('calendar.view')}</legend>
          {views.map((one) => {
            const Picture = PICTURES[one];
            return (
              <button
                key={one}
                type="button"
                aria-pressed={one === view}
                onClick={() => onView(one)}
                className="flex min-h-8 items-center gap-1.5 rounded-md px-2.5 font-medium text-soft hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
              >
                <Picture size={16} aria-hidden className="sm:hidden lg:block" />
                {word('view', one)}
              </button>
            );
          })}
        </fieldset>
        {mayCreate && (
          <Link to="/events/new" className={buttonClass('main')} aria-label={t('nav.new')}>
            <Plus size={18} aria-hidden />
            <span className="hidden sm:inline">{t('nav.new')}</span>
          </Link>
        )}
      </div>
    </div>
  );
}
