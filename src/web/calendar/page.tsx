import { useNavigate, useSearch } from '@tanstack/react-router';
import { useSelector } from '@tanstack/react-store';
import { useEffect, useState } from 'react';
import { useMay, useMe, useSchoolZone } from '../api/queries.ts';
import { shortcutsAreOn } from '../app/shortcuts.ts';
import { useKeyDown } from '../app/use-key-down.ts';
import { isPaletteOpen, openPalette } from '../palette/button.tsx';
import { lazily } from '../parts/lazily.tsx';
import { announce } from '../parts/notices.tsx';
import { usePageTitle } from '../parts/page.tsx';
import { dayRange, longDay, monthName, shortRange, zoneHint } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { Body } from './body.tsx';
import { cardAnchor, closeCard } from './card-anchor.ts';
import { Filters } from './filters.tsx';
import type { Span } from './grid/span.ts';
import { type CalendarSearch, lastSearch, NO_LIST, type View } from './search.ts';
import { Toolbar } from './toolbar.tsx';
import { daysOf, type ShownCalendar, stepped, useCalendar } from './use-calendar.ts';

const DayDialog = lazily(() => import('./day-dialog.tsx'));

export default function CalendarPage() {
  const search = useSearch({ from: '/signed-in/events' });
  const navigate = useNavigate({ from: '/events' });
  const me = useMe();
  const mayCreate = useMay('create_event');
  const [opened, setOpened] = useState<string | null>(null);
  const calendar = useCalendar(search);
  const { view, date, today, isList, shown, isReady, all, error } = calendar;
  const schoolZone = useSchoolZone();
  // The events of a list name their own zones.
  const zone = isList ? undefined : zoneHint(schoolZone, `${date}T12:00Z`);
  const set = (change: Partial<CalendarSearch>) =>
    void navigate({ to: '/events', search: (before) => ({ ...before, ...change }) });
  const go = (to: string) => set({ date: to });
  const step = (by: number) => go(stepped(view, date, by));
  const show = (next: View) => set({ ...(isList && NO_LIST), view: next });
  const onCreate = mayCreate ? (span: Span) => void navigate({ to: '/events/new', search: span }) : undefined;

  const heading = headingOf(search, calendar);
  usePageTitle(`${heading} · ${t('nav.calendar')}`);
  const count = all.length;
  useEffect(() => {
    if (isReady) announce(`${heading}: ${t('calendar.count', { count })}`);
  }, [heading, count, isReady]);
  useEffect(() => lastSearch.set(search), [search]);

  const keys: Keys = {
    ...(!isList && { t: () => go(today), j: () => step(1), k: () => step(-1) }),
    m: () => show('month'),
    w: () => show('week'),
    d: () => show('day'),
    a: () => show('agenda'),
    ...(mayCreate && { c: () => navigate({ to: '/events/new' }) }),
    '/': openPalette,
  };

  const paper = view === 'month' || view === 'week' ? 'landscape' : undefined;
  return (
    <>
      <div data-print="no" className="grid gap-2.5 border-b border-line bg-card px-3 py-3 sm:px-6">
        <Toolbar calendar={calendar} heading={heading} zone={zone} onView={show} onDate={go} onStep={step} />
        <Filters search={search} onChange={set} />
      </div>
      <p className="hidden px-2 text-xl font-semibold print:block">
        {[me?.school.name, heading, zone].filter(Boolean).join(' · ')}
      </p>
      <div
        // Reaches the bottom of the window, also behind the phone's navigation.
        // Dimmed while it still shows another month.
        className="flex min-h-0 grow flex-col bg-card aria-busy:opacity-60 aria-busy:transition-opacity aria-busy:delay-300 -mb-(--nav) pb-(--nav) print:block print:bg-white"
        data-print={paper}
        aria-busy={!isList && !isReady && !error}
      >
        <Body search={search} calendar={calendar} onSearch={set} onDay={go} onMore={setOpened} onCreate={onCreate} />
        {shown?.truncated && <p className="px-4 py-2 text-sm text-warn">{t('calendar.truncated')}</p>}
      </div>
      {opened && <DayDialog day={opened} all={all} onCreate={onCreate} onClose={() => setOpened(null)} />}
      <CardHost />
      <Shortcuts keys={keys} />
    </>
  );
}

/** The name of the list or of the period. */
function headingOf(search: CalendarSearch, { view, date, isList, isPhone }: ShownCalendar): string {
  if (isList) return t(search.drafts ? 'filter.drafts' : 'found.all');
  if (view === 'day') return longDay(date);
  if (view === 'month') return monthName(date);
  const { from, to } = daysOf(view, date);
  return isPhone ? shortRange(from, to) : dayRange(from, to);
}

const Card = lazily(() => import('./card.tsx'));

/** The card of an event, while one is open. It loads with the first. */
function CardHost() {
  const anchor = useSelector(cardAnchor);
  useEffect(() => closeCard, []);
  return anchor && <Card anchor={anchor} />;
}

const ShortcutHelp = lazily(() => import('../app/shortcut-help.tsx'));

type Keys = Record<string, () => unknown>;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches('input:not([type=radio], [type=checkbox]), textarea, select') || target.isContentEditable);

/** Single-key shortcuts; off while the user types, in dialogs, and if switched off. */
function Shortcuts({ keys }: { keys: Keys }) {
  const [isOpen, setOpen] = useState(false);
  useKeyDown((event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || isTyping(target)) return;
    if (isPaletteOpen() || document.querySelector('dialog[open], [popover=auto]:popover-open')) return;
    // The help always opens: it is where the user switches shortcuts on again.
    if (key === '?') return setOpen(true);
    if (!keys[key] || !shortcutsAreOn.get()) return;
    event.preventDefault();
    keys[key]();
  });
  return isOpen && <ShortcutHelp onClose={() => setOpen(false)} />;
}
