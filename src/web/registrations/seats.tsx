import { useQuery } from '@tanstack/react-query';
import { ArrowUp, Hourglass } from 'lucide-react';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import type { RegistrationCounts, SchoolEvent } from '../api/types.ts';
import { AskDialog } from '../parts/ask.tsx';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Loaded } from '../parts/page.tsx';
import { ShareBar } from '../parts/share-bar.tsx';
import { numberText, t, word } from '../texts/texts.ts';
import { invalidateRegistrations, waitlistQuery } from './data.ts';
import { countOf } from './filters.tsx';
import { nameOf } from './table.tsx';

/** Places taken and free, people checked in, and a button for the waitlist. */
export function Seats({ event, counts }: { event: SchoolEvent; counts: RegistrationCounts['counts'] }) {
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
          <span className="text-2xl font-semibold tabular-nums">{numberText(taken)}</span>{' '}
          <span className="text-soft">
            {places === null ? t('registrations.taken', { count: taken }) : t('registrations.takenOf', { places })}
          </span>
        </p>
        {places !== null && <ShareBar share={taken / places} />}
      </div>
      {free === 0 && <p className="font-semibold">{t('event.full')}</p>}
      {free !== null && free > 0 && <Figure value={free} label={t('registrations.free', { count: free })} />}
      <Figure value={here} label={t('registrations.here')} />
      {places !== null && (waiting > 0 || event.allowed_actions.includes('edit')) && (
        <Button onClick={() => setOpen(true)} icon={Hourglass}>
          {waiting > 0 ? t('registrations.waiting', { count: waiting }) : t('registrations.places')}
        </Button>
      )}
      {isOpen && <WaitlistDialog event={event} onClose={() => setOpen(false)} />}
    </section>
  );
}

const Figure = ({ value, label }: { value: number; label: string }) => (
  <p>
    <span className="text-lg font-semibold tabular-nums">{numberText(value)}</span>{' '}
    <span className="text-soft">{label}</span>
  </p>
);

/** The waitlist, and a preview of another capacity before setting it. */
function WaitlistDialog({ event, onClose }: { event: SchoolEvent; onClose: () => void }) {
  const now = event.max_attendees ?? 0;
  const [typed, setTyped] = useState(String(now));
  const places = Number(typed);
  const isChanged = Number.isInteger(places) && places > 0 && places !== now;
  const waitlist = useQuery(waitlistQuery(event.id, isChanged ? places : undefined));
  const isPossible = isChanged && waitlist.data !== undefined && waitlist.data.note !== 'capacity_below_occupied';
  const action = isChanged ? t('waitlist.set', { places }) : t('waitlist.setNone');
  const params = { path: { id: event.id } };
  return (
    <AskDialog
      title={t('waitlist.title')}
      cancel={t('dialog.close')}
      confirm={event.allowed_actions.includes('edit') ? action : null}
      disabled={!isPossible}
      run={() => unwrap(api.PATCH('/api/v1/operations/events/{id}', { params, body: { max_attendees: places } }))}
      onDone={() => {
        showNotice(t('waitlist.changed', { places }));
        return invalidateRegistrations(event.id);
      }}
      onClose={onClose}
    >
      <Loaded query={waitlist}>
        {({ taken, waiting, note, would_move_up: up, would_still_wait: still, free_after, next }) => (
          <div className="grid gap-4">
            <p>{t('waitlist.now', { taken, places: now, waiting })}</p>
            <TextField
              inputMode="numeric"
              label={t('waitlist.places')}
              value={typed}
              onChange={setTyped}
              className="max-w-32"
            />
            <div aria-live="polite" className="grid gap-1 rounded-lg bg-paper p-3">
              {note ? (
                <p className="font-medium text-warn">{word('waitlistNote', note, word('problem', note))}</p>
              ) : (
                <p className="font-medium">{t('waitlist.outcome', { up, still })}</p>
              )}
              {free_after !== null && free_after > 0 && !note && (
                <p className="text-soft">{t('waitlist.free', { count: free_after })}</p>
              )}
            </div>
            {next.length > 0 && (
              <section className="grid gap-1.5">
                <h3 className="font-medium">{t('waitlist.next')}</h3>
                <ol className="grid gap-0.5">
                  {next.map((row, at) => (
                    <li key={row.id} className="flex items-center gap-2.5">
                      <span className="w-6 text-right text-soft tabular-nums">{at + 1}.</span>
                      <span className="truncate">{nameOf(row)}</span>
                      {at < up && !note && (
                        <span className="inline-flex items-center gap-1 text-sm font-medium text-good">
                          <ArrowUp size={14} />
                          {t('waitlist.getsPlace')}
                        </span>
                      )}
                    </li>
                  ))}
                </ol>
              </section>
            )}
          </div>
        )}
      </Loaded>
    </AskDialog>
  );
}
