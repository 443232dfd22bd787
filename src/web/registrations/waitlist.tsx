import { useQuery } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import type { SchoolEvent } from '../api/types.ts';
import { AskDialog } from '../parts/ask.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Loaded } from '../parts/page.tsx';
import { t, word } from '../texts/texts.ts';
import { invalidateRoster, waitlistQuery } from './data.ts';
import { nameOf } from './table.tsx';

/** The waitlist, and a preview of another capacity before setting it. */
export function WaitlistDialog({ event, onClose }: { event: SchoolEvent; onClose: () => void }) {
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
        return invalidateRoster(event.id);
      }}
      onClose={onClose}
    >
      <Loaded query={waitlist}>
        {({ taken, waiting, note, would_move_up: up, would_still_wait: still, free_after, next }) => (
          <div className="grid gap-4">
            <p>{t('waitlist.now', { taken, places: now, waiting })}</p>
            <TextField
              type="number"
              min="1"
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
