import { Hourglass } from 'lucide-react';
import { useState } from 'react';
import type { RosterCounts, SchoolEvent } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { ShareBar } from '../parts/share-bar.tsx';
import { t } from '../texts/texts.ts';
import { countOf } from './filters.tsx';
import { WaitlistDialog } from './waitlist.tsx';

/** Places taken and free, people checked in, and a button for the waitlist. */
export function Seats({ event, counts }: { event: SchoolEvent; counts: RosterCounts['counts'] }) {
  const [isOpen, setOpen] = useState(false);
  const { current_attendees: taken, max_attendees: places, available_spots: free } = event;
  const here = counts.reduce((sum, { checked_in }) => sum + checked_in, 0);
  const waiting = countOf(counts, { status: 'waitlisted' });
  return (
    <section
      aria-label={t('registrations.seats')}
      className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-3 rounded-card border border-line bg-card px-4 py-3"
    >
      <div className="min-w-[min(12rem,100%)] grow">
        <p>
          <span className="text-2xl font-semibold tabular-nums">{taken}</span>{' '}
          <span className="text-soft">
            {places === null ? t('registrations.taken', { count: taken }) : t('registrations.takenOf', { places })}
          </span>
        </p>
        {places !== null && <ShareBar share={taken / Math.max(1, places)} />}
      </div>
      {free === 0 && <p className="font-semibold">{t('event.full')}</p>}
      {free !== null && free > 0 && <Figure value={free} label={t('registrations.free', { count: free })} />}
      <Figure value={here} label={t('registrations.here')} />
      {places !== null && (
        <Button data-print="no" onClick={() => setOpen(true)} icon={Hourglass}>
          {waiting > 0 ? t('registrations.waiting', { count: waiting }) : t('registrations.places')}
        </Button>
      )}
      {isOpen && <WaitlistDialog event={event} onClose={() => setOpen(false)} />}
    </section>
  );
}

const Figure = ({ value, label }: { value: number; label: string }) => (
  <p>
    <span className="text-lg font-semibold tabular-nums">{value}</span> <span className="text-soft">{label}</span>
  </p>
);
