import { Type } from 'typebox';
import { SHARED } from '../../events/rules/clashes.ts';
import { named, nullable, oneOf } from '../schemas/fields.ts';

const dates = { start_date: Type.String(), end_date: Type.String() };

/** What takes place at the time of an event and needs the same place or people. */
export const CLASHES = named('Clashes', {
  clashes: Type.Array(
    Type.Object({
      of: Type.Object(
        { id: Type.String(), start_date: Type.String() },
        { description: 'The checked event, or the date of its series.' },
      ),
      event_id: nullable(
        Type.String({
          description: 'The other event. Null for holidays, outside calendars, and an event you can’t see.',
        }),
      ),
      calendar: nullable(Type.String({ description: 'The name of the outside calendar. Null for anything else.' })),
      title: nullable(
        Type.String({
          description:
            'The title of the other event or entry, or the name of the holidays. Null for an event you can’t see.',
        }),
      ),
      all_day: Type.Boolean(),
      ...dates,
      start_time: nullable(Type.String()),
      end_time: nullable(Type.String()),
      timezone: Type.String({ description: 'The time zone of these dates and times.' }),
      shared: Type.Array(oneOf(SHARED), {
        description: 'What both need. `grade`: one of them is for the whole grade. `holiday`: the school is closed.',
      }),
    }),
    { description: 'In the order of the checked events. They are advice: a clash blocks nothing.' },
  ),
  checked: Type.Integer({
    description: 'How many events were checked: of a series, at most the first 60 dates that have not ended.',
  }),
  free_times: Type.Array(Type.Object({ ...dates, start_time: Type.String(), end_time: Type.String() }), {
    description:
      'Up to three times near the first event without a clash, in its time zone. Empty if it clashes with nothing.',
  }),
});
