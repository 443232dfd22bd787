import { useMutation } from '@tanstack/react-query';
import { CalendarDays, CalendarPlus, Repeat } from 'lucide-react';
import { api, unwrap } from '../api/client.ts';
import type { SchoolEvent } from '../api/types.ts';
import { ScheduleLines } from '../event-parts/schedule-lines.tsx';
import { Button } from '../parts/button.tsx';
import { Section } from '../parts/page.tsx';
import { saveFile } from '../parts/save-file.ts';
import { clockTime, inZone, isElsewhere, isUndecided, momentIn, ownZone, zoneName } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';

/** Date and time in the event's zone and, if different, in the user's. */
export function Schedule({ event }: { event: SchoolEvent }) {
  const { starts_at, timezone, all_day, recurrence_pattern } = event;
  const file = useMutation({ mutationFn: download });
  const hasDate = !isUndecided(event);
  const showsOwnTime = hasDate && !all_day && isElsewhere(starts_at, timezone);
  return (
    <Section title={t('event.schedule')} icon={CalendarDays}>
      <ScheduleLines event={event} />
      {showsOwnTime && (
        <p className="mt-1.5 text-sm text-soft">
          {t('event.yourTime', {
            zone: zoneName(ownZone(), starts_at),
            when: spanIn(event, ownZone()),
          })}
        </p>
      )}
      {(event.is_recurring || event.parent_event_id) && (
        <p className="mt-1.5 flex items-center gap-1.5 text-sm text-soft">
          <Repeat size={14} />
          {t('event.repeats', { pattern: word('pattern', recurrence_pattern, '') })}
        </p>
      )}
      {hasDate && event.status !== 'cancelled' && (
        <Button className="mt-3 w-full" busy={file.isPending} onClick={() => file.mutate(event)} icon={CalendarPlus}>
          {t('event.addToCalendar')}
        </Button>
      )}
    </Section>
  );
}

/** Start and end in a zone; names the day once if it is the same. */
function spanIn({ starts_at, ends_at }: SchoolEvent, zone: string): string {
  const [from, to] = [momentIn(starts_at, zone), momentIn(ends_at, zone)];
  const end = inZone(ends_at, zone);
  return inZone(starts_at, zone).day === end.day ? `${from}–${clockTime(end.time)}` : `${from} – ${to}`;
}

async function download({ id }: SchoolEvent): Promise<void> {
  const params = { path: { id } };
  const file = await unwrap(api.GET('/api/v1/operations/events/{id}/event.ics', { params, parseAs: 'blob' }));
  saveFile(file, 'event.ics');
}
