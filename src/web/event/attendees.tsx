import { Link } from '@tanstack/react-router';
import { Users } from 'lucide-react';
import type { SchoolEvent } from '../api/types.ts';
import { buttonClass } from '../parts/button.tsx';
import { t } from '../texts/texts.ts';
import { Section } from './section.tsx';

/** Numbers of attendees and of people waiting, with a link to the list for those who manage registrations. */
export function Attendees({ event, manages }: { event: SchoolEvent; manages: boolean }) {
  const { id, registration_type, current_attendees: taken, waitlist_count: waiting } = event;
  if (registration_type === 'none') return null;
  return (
    <Section title={t('event.attendees')} icon={<Users size={17} aria-hidden />}>
      <p className="font-medium">{t('attendees.taken', { count: taken })}</p>
      {waiting > 0 && <p className="text-soft">{t('attendees.waiting', { count: waiting })}</p>}
      {manages && (
        <Link
          to="/events/$id/registrations"
          params={{ id }}
          data-print="no"
          className={buttonClass('plain', 'mt-3 w-full')}
        >
          {t('attendees.manage')}
        </Link>
      )}
    </Section>
  );
}
