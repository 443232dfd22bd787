import { DoorOpen, Users } from 'lucide-react';
import { useState } from 'react';
import type { SchoolEvent } from '../../api/types.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { lazily } from '../../parts/lazily.tsx';
import { Section } from '../../parts/page.tsx';
import { t } from '../../texts/texts.ts';
import { Attendance } from './attendance.tsx';

const DoorDialog = lazily(() => import('./door-dialog.tsx'));

/**
 * Numbers of attendees and of people waiting; for the organizer the attendance and the list too, and for those who manage
 * registrations also the code at the door.
 */
export function Attendees({ event, manages, organizes }: { event: SchoolEvent; manages: boolean; organizes: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { id, status, registration_type, current_attendees: taken, waitlist_count: waiting } = event;
  const mayRead = manages || organizes;
  const hasStarted = status === 'in_progress' || status === 'completed';
  if (registration_type === 'none') return null;
  return (
    <Section title={t('event.attendees')} icon={Users}>
      <p className="font-medium">{t('attendees.taken', { count: taken })}</p>
      {waiting > 0 && <p className="text-soft">{t('attendees.waiting', { count: waiting })}</p>}
      {hasStarted && mayRead && <Attendance id={id} />}
      {mayRead && (
        <div data-print="no" className="mt-3 grid gap-2">
          <ButtonLink to="/events/$id/registrations" params={{ id }} className="w-full">
            {t(manages ? 'attendees.manage' : 'nav.registrations')}
          </ButtonLink>
          {event.slots && (
            <ButtonLink to="/events/$id/meetings" params={{ id }} className="w-full">
              {t('slots.list')}
            </ButtonLink>
          )}
          {manages && (status === 'published' || status === 'in_progress') && (
            <Button onClick={() => setOpen(true)} icon={DoorOpen}>
              {t('door.show')}
            </Button>
          )}
        </div>
      )}
      {isOpen && <DoorDialog event={event} onClose={() => setOpen(false)} />}
    </Section>
  );
}
