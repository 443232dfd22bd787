import { Plus } from 'lucide-react';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { changed, RemoveButton } from '../parts/forms/list-parts.tsx';
import { Section } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import type { Part } from './page.tsx';

/** The days on which messages that can wait are held back. */
export function HolidaysCard({ body, change, faultOf }: Part) {
  const holidays = body.term_calendar ?? [];
  const put = (term_calendar: typeof holidays) => change({ term_calendar });
  const add = () => put([...holidays, { name: '', start_date: '', end_date: '' }]);
  return (
    <Section title={t('school.holidays')} text={t('school.holidays.text')}>
      <ul className="grid gap-3">
        {holidays.map((holiday, at) => {
          const field = (name: 'name' | 'start_date' | 'end_date') => ({
            value: holiday[name],
            fault: faultOf(`/term_calendar/${at}/${name}`),
            onChange: (value: string) => put(changed(holidays, at, { [name]: value })),
          });
          return (
            // Holidays have no id; each field shows its value, so its place may serve as the key.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={at} className="grid items-start gap-3 sm:grid-cols-[minmax(0,2fr)_1fr_1fr_auto]">
              <TextField label={t('school.holiday')} autoFocus={holiday.name === ''} {...field('name')} />
              <TextField label={t('school.firstDay')} type="date" {...field('start_date')} />
              <TextField label={t('school.lastDay')} type="date" {...field('end_date')} />
              <RemoveButton
                className="sm:mt-7"
                what={holiday.name || t('school.holiday')}
                onClick={() => put(changed(holidays, at, null))}
              />
            </li>
          );
        })}
      </ul>
      <Button className="mt-3" onClick={add} icon={Plus}>
        {t('school.addHoliday')}
      </Button>
    </Section>
  );
}
