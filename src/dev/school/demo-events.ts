import { DateTime } from 'luxon';
import { REMINDER_TYPES } from '../../events/event-fields.ts';
import { DEMO_SCHOOL } from './demo-school.ts';

/** Reminders are due this many minutes before the start. */
const OFFSET = 10;
/** Time to register for the event before its reminders are due. */
const LEAD_MS = 8_000;

const MINUTE = 60_000;
const today = () => DateTime.now().setZone(DEMO_SCHOOL.timezone);
/** A weekend day becomes the Monday after it. */
const dayIn = (days: number): string => {
  const day = today().plus({ days });
  return day.plus({ days: day.weekday > 5 ? 8 - day.weekday : 0 }).toFormat('yyyy-MM-dd');
};

/** A class meeting whose reminders are due within the minute after `LEAD_MS`, since starts are whole minutes. */
export function classMeeting(): { fields: object; dueAt: number } {
  const dueAt = Math.ceil((Date.now() + LEAD_MS) / MINUTE) * MINUTE;
  const start = DateTime.fromMillis(dueAt, { zone: DEMO_SCHOOL.timezone }).plus({ minutes: OFFSET });
  const end = start.plus({ minutes: 45 });
  return {
    dueAt,
    fields: {
      title: 'Class meeting 5.A',
      translations: { cs: { title: 'Třídní schůzka 5. A' } },
      event_type: 'parent_teacher',
      start_date: start.toFormat('yyyy-MM-dd'),
      start_time: start.toFormat('HH:mm'),
      end_date: end.toFormat('yyyy-MM-dd'),
      end_time: end.toFormat('HH:mm'),
      location: { name: 'Učebna 5. A', room: '12', building: 'Hlavní budova' },
      target_audience: ['parents'],
      class_id: 'class-5a',
      registration_type: 'optional',
      // The demo has no WhatsApp account.
      reminders: REMINDER_TYPES.filter((type) => type !== 'whatsapp').map((type) => ({ type, offset: OFFSET })),
    },
  };
}

/** In the evening, ten days from now plus `later` days. */
export const concert = (later = 0) => ({
  title: 'Autumn concert',
  event_type: 'cultural',
  visibility: 'public',
  start_date: dayIn(10 + later),
  start_time: '18:00',
  end_date: dayIn(10 + later),
  end_time: '19:30',
  location: { name: 'Aula', address: 'Lipová 12, Praha' },
  description: 'The school orchestra plays, the choir sings.',
  translations: { cs: { title: 'Podzimní koncert', description: 'Hraje školní orchestr, zpívá sbor Lipka.' } },
  registration_type: 'required',
  registration_deadline: `${dayIn(7)}T18:00:00Z`,
  max_attendees: 4,
  waitlist_enabled: true,
  tags: ['hudba', 'music'],
});

/** A whole day, for one class and their parents. */
export const trip = () => ({
  title: 'Planetarium trip',
  translations: { cs: { title: 'Výlet do planetária' } },
  event_type: 'field_trip',
  start_date: dayIn(6),
  end_date: dayIn(6),
  location: { name: 'Planetárium', address: 'Královská obora, Praha' },
  target_audience: ['students', 'parents'],
  class_id: 'class-5a',
  registration_type: 'optional',
});

/** For staff, without notifications. */
export const staffMeeting = () => ({
  title: 'Staff meeting',
  translations: { cs: { title: 'Porada učitelů' } },
  event_type: 'meeting',
  visibility: 'staff_only',
  start_date: dayIn(2),
  start_time: '14:00',
  end_date: dayIn(2),
  end_time: '15:00',
  target_audience: ['staff'],
  send_notifications: false,
});
