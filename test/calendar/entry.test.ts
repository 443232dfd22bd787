import { expect, test } from 'vitest';
import { entryOf } from '../../src/calendar/show.ts';
import { findFamilyRegistrations } from '../../src/events/find-confirmed.ts';
import { CALENDAR_ENTRY } from '../../src/http/calendar/routes.ts';
import { ACTIVE_REGISTRATIONS } from '../../src/http/events/event-schema.ts';
import { anEvent } from '../support/builders.ts';

const SCHOOL = { tenant_id: 'lipova', school_id: 'lipova' };

// The serializer of the route writes long arrays as they are, without leaving out other fields.
test('an entry and its places have exactly the fields of the API', async () => {
  const place = { event_id: 'fair', user_id: 'eva', status: 'confirmed' } as const;
  const viewer = { ...SCHOOL, user_id: 'eva', roles: ['student' as const] };
  const registrations = await findFamilyRegistrations(
    { registrations: { findActive: async () => [place] } },
    viewer as never,
  );
  const entry = entryOf(anEvent({ id: 'fair' }), [], registrations.get('fair') ?? []);
  expect(Object.keys(entry).sort()).toEqual(Object.keys(CALENDAR_ENTRY.properties).sort());
  expect(Object.keys(entry.registered[0] ?? {}).sort()).toEqual(
    Object.keys(ACTIVE_REGISTRATIONS.items.properties).sort(),
  );
});
