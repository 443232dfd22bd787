import { Type } from 'typebox';
import { EVENT_TYPE, PLACE } from '../../events/event-fields.ts';
import { PUBLIC_FIELDS } from '../../events/read-public.ts';
import { LOCALES } from '../../people/contact.ts';
import { EVENT } from '../events/event-schema.ts';
import { SCHOOL_LOOK } from '../people/school-routes.ts';
import { named, nullable, oneOf, strict } from '../schemas/fields.ts';

const text = Type.String();

const { virtualLink: _, capacity: __, ...PUBLIC_PLACE } = PLACE;

export const PUBLIC_PROPERTIES = [...PUBLIC_FIELDS, 'translations', 'available_spots'] as const;

/** An event as visitors without a token see it: without people and without the meeting link. */
export const PUBLIC_EVENT = named('PublicEvent', {
  ...(Object.fromEntries(PUBLIC_PROPERTIES.map((name) => [name, EVENT.properties[name]])) as Pick<
    typeof EVENT.properties,
    (typeof PUBLIC_PROPERTIES)[number]
  >),
  location: nullable(strict(PUBLIC_PLACE)),
});

/** A school as visitors without a token see it. */
export const PUBLIC_SCHOOL = Type.Object(
  {
    id: text,
    name: text,
    timezone: text,
    locale: oneOf(LOCALES),
    ...SCHOOL_LOOK,
    event_types: Type.Array(Type.Object({ value: EVENT_TYPE, icon: text, color: nullable(text) })),
  },
  { description: 'The school' },
);
