import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { type CopyInput, copyOf, occurrenceOn } from '../../../src/events/rules/copy.ts';
import { aCaller, anEvent, at, NOW } from '../../support/builders.ts';

const OFFICE = aCaller({ user_id: 'office', permissions: ['events.update'] });
const WEEKLY = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_end_date: '2026-11-13' } as const;
const TRANSLATED = { translations: { cs: { title: 'Koncert' } } };

test.each<[string, Partial<SchoolEvent>, CopyInput, Partial<SchoolEvent>]>([
  ['names the original', { title: 'Concert' }, {}, { title: 'Copy of Concert' }],
  ['cuts a title that is too long', { title: 'C'.repeat(200) }, {}, { title: `Copy of ${'C'.repeat(192)}` }],
  ['has another title without blanks', {}, { title: ' Fair ' }, { title: 'Fair' }],
  ['keeps translations of the same title', { title: 'Concert', ...TRANSLATED }, { title: ' Concert' }, TRANSLATED],
  ['keeps translations with its own title', TRANSLATED, {}, TRANSLATED],
  ['drops translations of another title', TRANSLATED, { title: 'Fair' }, { translations: null }],
  ['is not featured', { is_featured: true }, {}, { is_featured: false }],
  ['keeps its dates', {}, {}, { start_date: '2026-10-16', end_date: '2026-10-16' }],
  [
    'moves end, deadline and end of the series with its start',
    { ...WEEKLY, end_date: '2026-10-17', registration_deadline: at('2026-10-14T12:00:00Z') },
    { start_date: '2026-10-23' },
    {
      start_date: '2026-10-23',
      end_date: '2026-10-24',
      registration_deadline: at('2026-10-21T12:00:00Z'),
      recurrence_end_date: '2026-11-20',
    },
  ],
  ['keeps the end of its series', WEEKLY, {}, { recurrence_end_date: '2026-11-13' }],
  [
    'of a date behind its series ends with it',
    { ...WEEKLY, recurrence_end_date: '2026-10-09' },
    { start_date: '2026-10-23' },
    { recurrence_end_date: '2026-10-23' },
  ],
  [
    'of the last date of its series ends with it',
    { ...WEEKLY, recurrence_end_date: '2026-10-16' },
    {},
    { recurrence_end_date: '2026-10-16' },
  ],
])('a copy %s', (_, event, input, expected) => {
  expect(copyOf(anEvent(event), input, OFFICE, NOW)).toMatchObject(expected);
});

test('a copy belongs to the caller who may not edit all events', () => {
  const organizer = { type: 'staff', name: 'Anna' } as const;
  const organizerOf = (caller: typeof OFFICE) => {
    const { organizer_id, organizer: shown } = copyOf(anEvent({ organizer_id: 'anna', organizer }), {}, caller, NOW);
    return [organizer_id, shown];
  };
  expect(organizerOf(OFFICE)).toEqual(['anna', organizer]);
  expect(organizerOf(aCaller({ user_id: 'boris' }))).toEqual(['boris', null]);
});

const LINK = { isVirtual: true, virtualLink: 'https://meet.example/1' };

test.each<[string, Partial<SchoolEvent>, Partial<SchoolEvent>]>([
  ['keeps the restriction of an own event', { organizer_id: 'boris' }, { restricted_to: { user_ids: ['eva'] } }],
  ['has no restriction, which names people', {}, { restricted_to: null }],
  ['keeps a meeting link that its maker sees', { location: LINK }, { location: LINK }],
  [
    'has no meeting link for registered people',
    { location: LINK, registration_type: 'required' },
    { location: { isVirtual: false } },
  ],
  ['keeps another place', { location: { room: 'A1' }, registration_type: 'required' }, { location: { room: 'A1' } }],
])('a copy by someone who may not edit all events %s', (_, event, expected) => {
  const original = anEvent({ organizer_id: 'anna', restricted_to: { user_ids: ['eva'] }, ...event });
  const { restricted_to, location } = copyOf(original, {}, aCaller({ user_id: 'boris', roles: ['staff'] }), NOW);
  expect({ restricted_to, location }).toEqual({ restricted_to, location, ...expected });
});

test('a new date of a series is as far from its rule as the one it is like, under the same parent', () => {
  const like = anEvent({
    ...WEEKLY,
    id: 'third',
    parent_event_id: 'first',
    occurrence_date: '2026-10-15',
    registration_deadline: at('2026-10-14T12:00:00Z'),
  });
  expect(occurrenceOn('2026-10-22', like, OFFICE, NOW)).toMatchObject({
    occurrence_date: '2026-10-22',
    start_date: '2026-10-23',
    end_date: '2026-10-23',
    registration_deadline: at('2026-10-21T12:00:00Z'),
    parent_event_id: 'first',
    status: 'draft',
  });
});
