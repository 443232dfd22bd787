import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { longDay } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { DayList } from './agenda.tsx';
import type { Span } from './grid/span.ts';
import { entriesOn, type Placed } from './placing.ts';

type Props = {
  day: string;
  all: readonly Placed[];
  onCreate: ((span: Span) => void) | undefined;
  onClose: () => void;
};

/** All entries of a day of which a month or a week shows only some. */
export default function DayDialog({ day, all, onCreate, onClose }: Props) {
  return (
    <Dialog
      title={longDay(day)}
      onClose={onClose}
      actions={onCreate && <Button onClick={() => onCreate({ date: day })}>{t('nav.new')}</Button>}
    >
      <DayList day={day} entries={entriesOn(all, day)} />
    </Dialog>
  );
}
