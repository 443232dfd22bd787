import { CalendarX2 } from 'lucide-react';
import { useMay } from '../api/queries.ts';
import type { Calendar } from '../api/types.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Empty } from '../parts/page.tsx';
import { dayRange } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { type CalendarSearch, countFilters, NO_FILTERS, type View } from './search.ts';

type Props = {
  search: CalendarSearch;
  view: View;
  shown: Calendar;
  onSearch: (change: Partial<CalendarSearch>) => void;
};

/** Explains an empty view: filters, drafts being hidden, or no events. */
export default function NoEvents({ search, view, shown, onSearch }: Props) {
  const mayCreate = useMay('create_event');
  const count = countFilters(search);
  const days = dayRange(shown.from, shown.to);
  if (search.status?.includes('draft'))
    return (
      <Empty icon={CalendarX2} title={t('empty.drafts')}>
        {mayCreate && (
          <Button className="mt-2" onClick={() => onSearch({ ...NO_FILTERS, drafts: true })}>
            {t('empty.showDrafts')}
          </Button>
        )}
      </Empty>
    );
  return (
    <Empty
      icon={CalendarX2}
      title={count > 0 ? t('empty.filters', { days }) : t('empty.nothing', { days })}
      text={count > 0 ? t('empty.filtersHint', { count }) : t('empty.hint')}
    >
      <div className="mt-2 flex flex-wrap justify-center gap-2">
        {count > 0 && <Button onClick={() => onSearch(NO_FILTERS)}>{t('filter.clear', { count })}</Button>}
        {count === 0 && view !== 'agenda' && (
          <Button onClick={() => onSearch({ view: 'agenda' })}>{t('calendar.nextDays')}</Button>
        )}
        {mayCreate && (
          <ButtonLink to="/events/new" look="main">
            {t('nav.new')}
          </ButtonLink>
        )}
      </div>
    </Empty>
  );
}
