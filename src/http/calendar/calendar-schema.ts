import { Type } from 'typebox';
import { CALENDAR_VIEWS } from '../../calendar/show.ts';
import { EVENT_STATUSES, EVENT_TYPES, type EventStatus, type EventType } from '../../events/event.ts';
import { EVENT_TYPE } from '../../events/event-fields.ts';
import { ACTIONS, type Action } from '../../events/rules/lifecycle.ts';
import { HELD_PLACES } from '../events/event-schema.ts';
import { named, nullable, oneOf, stamp } from '../schemas/fields.ts';

export const CALENDAR_ENTRY = named('CalendarEntry', {
  id: Type.String(),
  title: Type.String({ description: 'The title, cut to 40 characters with … if it is longer.' }),
  full_title: nullable(Type.String({ description: 'The whole title if `title` is cut.' })),
  event_type: EVENT_TYPE,
  icon: Type.String(),
  color: nullable(Type.String()),
  status: oneOf(EVENT_STATUSES),
  starts_at: stamp,
  ends_at: stamp,
  start_date: Type.String(),
  end_date: Type.String(),
  start_time: nullable(Type.String()),
  end_time: nullable(Type.String()),
  timezone: Type.String(),
  all_day: Type.Boolean(),
  location_name: nullable(Type.String()),
  recurring: Type.Boolean({ description: 'True if the event repeats.' }),
  featured: Type.Boolean({ description: 'True if the event is featured.' }),
  allowed_actions: Type.Array(oneOf(Object.keys(ACTIONS) as Action[])),
  registered: HELD_PLACES,
});

export const SHOWN = {
  view: oneOf(CALENDAR_VIEWS, { description: 'The view of the calendar.' }),
  from: Type.String({ description: 'The first day of the calendar.' }),
  to: Type.String({ description: 'The last day of the calendar.' }),
  timezone: Type.String({ description: 'The time zone of the school. Days begin and end in it.' }),
  truncated: Type.Boolean({ description: 'True if there are more entries than fit into one answer.' }),
};

const whole = Type.Integer();
const counts = <K extends string>(keys: readonly K[]) =>
  Type.Object(Object.fromEntries(keys.map((key) => [key, whole])) as Record<K, typeof whole>);

export const STATISTICS = named('Statistics', {
  total: Type.Integer({ description: 'How many there are in all.' }),
  upcoming: Type.Integer({ description: 'Scheduled, published or postponed events that start in the future.' }),
  inProgress: Type.Integer({ description: 'How many events are running.' }),
  completed: Type.Integer({ description: 'How many events are completed.' }),
  cancelled: whole,
  totalRegistrations: Type.Integer({
    description: 'Pending and confirmed registrations, without drafts and cancelled events.',
  }),
  averageAttendance: Type.Number({
    description: 'Average number of seats taken, without drafts and cancelled events.',
  }),
  attendanceRate: nullable(
    Type.Number({
      description:
        'The checked-in part of the confirmed people of events that have started, from 0 to 1. Null without such people.',
    }),
  ),
  byType: counts<EventType>(Object.keys(EVENT_TYPES) as EventType[]),
  byStatus: counts<EventStatus>(EVENT_STATUSES),
});
