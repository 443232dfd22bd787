import { expect, test } from 'vitest';
import { EVENT_PATCH, NEW_EVENT } from '../../../src/http/events/event-body-schema.ts';
import { checkOf } from '../../../src/http/validator.ts';

const event = { title: 'Concert', event_type: 'cultural', start_date: '2026-10-16', end_date: '2026-10-16' };
const checks = [checkOf(NEW_EVENT), checkOf(EVENT_PATCH)];

// These fields are used in mail headers and in lines of calendar files.
test.each([
  [{ title: '' }, '/title'],
  [{ title: 'Concert\r\nBcc: everyone@school.example' }, '/title'],
  [{ translations: { cs: { title: 'Kon\ncert' } } }, '/translations/cs/title'],
  [{ translations: { cs: { title: 'Kon\u202ecert' } } }, '/translations/cs/title'],
  [{ location_name: 'Hall\u0000' }, '/location_name'],
  [{ location: { name: 'Hall\n' } }, '/location/name'],
  [{ location: { address: 'Street\n1' } }, '/location/address'],
  [{ location: { room: '1\u0007' } }, '/location/room'],
  [{ location: { building: 'B\u2028' } }, '/location/building'],
  [{ organizer: { type: 'staff', name: 'Olga\n' } }, '/organizer/name'],
  [{ tags: ['music', 'a\nb'] }, '/tags/1'],
  [{ categories: ['a\tb'] }, '/categories/0'],
])('a new event and an edit refuse %j, which is not one line', (more, pointer) => {
  for (const faultsOf of checks)
    expect(faultsOf({ ...event, ...more }).map((fault) => [fault.pointer, fault.rule])).toEqual([[pointer, 'line']]);
});
