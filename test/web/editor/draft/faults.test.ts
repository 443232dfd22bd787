import { beforeAll, expect, it } from 'vitest';
import type { SchoolEvent } from '../../../../src/events/event.ts';
import { faultsOf as serverFaults } from '../../../../src/events/rules/validation.ts';
import { faultsOf } from '../../../../src/web/editor/draft/faults.ts';
import { loadLanguage } from '../../../../src/web/texts/texts.ts';
import { anEvent } from '../../../support/builders.ts';

beforeAll(() => loadLanguage('en'));

it.each<[Partial<SchoolEvent>, Record<string, string>]>([
  [
    { registration_type: 'ticketed', max_attendees: null, registration_deadline: null, cost: 0, currency: null },
    {
      max_attendees: 'Enter the number of places',
      registration_deadline: 'Enter a registration deadline',
      cost: 'Enter a price above 0',
      currency: 'Enter a currency',
    },
  ],
  [{ end_date: '2026-10-15' }, { end_date: 'Enter a date on or after the start date.' }],
  [{ end_time: '17:59' }, { end_time: 'Enter a time after the start.' }],
  [{ end_date: '2027-12-01' }, { end_date: 'An event can last at most 366 days.' }],
  [{ start_date: '1969-12-31' }, { start_date: 'Enter a date from 1970 to 2100.' }],
  [
    { is_recurring: true, recurrence_pattern: 'daily', recurrence_end_date: '2028-12-01' },
    { recurrence_end_date: 'A series can have at most 366 events.' },
  ],
])('the form translates the server’s errors about %j', (fields, expected) => {
  const errors = serverFaults(anEvent(fields));
  expect(faultsOf({ errors })).toMatchObject(expected);
});
