import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { faultsOf, senseFaults } from '../../../src/events/rules/validation.ts';
import { isLine } from '../../../src/people/contact.ts';
import { anEvent, at } from '../../support/builders.ts';

const pointers = (more: Partial<SchoolEvent>) => faultsOf(anEvent(more)).map((fault) => fault.pointer);

test('an ordinary event breaks no rule', () => {
  expect(faultsOf(anEvent())).toEqual([]);
});

test.each<[Partial<SchoolEvent>, string[]]>([
  [{ start_date: '2026-02-30' }, ['/start_date']],
  [{ end_date: '16.10.2026' }, ['/end_date']],
  [{ start_date: 'x', end_date: 'y' }, ['/start_date', '/end_date']],
  [{ end_date: '2026-10-15' }, ['/end_date']],
  [{ end_time: '18:00' }, ['/end_time']],
  [{ end_time: '17:59' }, ['/end_time']],
  [{ end_date: '2026-10-17', end_time: '00:30' }, []],
  [{ all_day: true, start_time: null, end_time: null }, []],
  [{ all_day: true, start_time: null, end_time: null, end_date: '2026-10-15' }, ['/end_date']],
])('%j breaks the rules at %j', (more, expected) => {
  expect(pointers(more)).toEqual(expected);
});

const wholeDays = (start_date: string, end_date: string) => ({
  ...{ all_day: true, start_time: null, end_time: null },
  ...{ start_date, end_date },
});

test.each<[string, Partial<SchoolEvent>, string[]]>([
  ['a school year', wholeDays('2026-09-01', '2027-08-31'), []],
  ['366 whole days', wholeDays('2026-09-01', '2027-09-01'), []],
  ['367 whole days', wholeDays('2026-09-01', '2027-09-02'), ['/end_date']],
  ['366 days to the minute', { end_date: '2027-10-17', end_time: '18:00' }, []],
  ['a minute more', { end_date: '2027-10-17', end_time: '18:01' }, ['/end_date']],
  ['a thousand years', { start_date: '1900-01-01', end_date: '2999-12-31' }, ['/start_date', '/end_date']],
  ['the first day there is', wholeDays('1970-01-01', '1970-01-01'), []],
  ['the day before', wholeDays('1969-12-31', '1970-01-01'), ['/start_date']],
  ['the last day there is', wholeDays('2100-12-31', '2100-12-31'), []],
  ['the day after', wholeDays('2100-12-31', '2101-01-01'), ['/end_date']],
])('an event of %s breaks the rules at %s', (_name, more, expected) => {
  expect(pointers(more)).toEqual(expected);
});

test('names the rule of an event that is too long, and of a year that is out of range', () => {
  const faults = [...faultsOf(anEvent({ end_date: '2028-01-01' })), ...faultsOf(anEvent({ end_date: '2222-01-01' }))];
  expect(faults.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
    '/end_date must not make the event longer than 366 days',
    '/end_date must be an existing date from 1970 to 2100, written YYYY-MM-DD',
  ]);
});

test.each<[string, Partial<SchoolEvent>, string]>([
  [
    'ends after 2100',
    { recurrence_end_date: '2101-01-01' },
    '/recurrence_end_date must be an existing date from 1970 to 2100, written YYYY-MM-DD',
  ],
  [
    'goes on after 2100',
    { recurrence_count: 76 },
    '/recurrence_count gives dates after 2100: choose fewer occurrences',
  ],
  [
    'goes on from a 29 February after 2100',
    { start_date: '2096-02-29', end_date: '2096-02-29', recurrence_count: 366 },
    '/recurrence_count gives dates after 2100: choose fewer occurrences',
  ],
])('refuses a yearly series that %s', (_name, more, expected) => {
  const faults = faultsOf(anEvent({ is_recurring: true, recurrence_pattern: 'yearly', ...more }));
  expect(faults.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([expected]);
});

test('dates in the past may be entered', () => {
  expect(pointers({ start_date: '1999-01-01', end_date: '1999-01-01' })).toEqual([]);
});

const DEADLINE = at('2026-10-10T00:00:00Z');
const complete = { max_attendees: 10, registration_deadline: DEADLINE };
const paid = { ...complete, is_free: false, cost: 5, currency: 'EUR' };

/** The fields that each type of registration needs: a deadline, a capacity, a cost and a currency. */
test.each<[SchoolEvent['registration_type'], Partial<SchoolEvent>, string[]]>([
  ['none', {}, []],
  ['optional', {}, []],
  ['required', complete, []],
  ['required', {}, ['/max_attendees', '/registration_deadline']],
  ['required', { ...complete, max_attendees: null }, ['/max_attendees']],
  ['required', { ...complete, registration_deadline: null }, ['/registration_deadline']],
  ['ticketed', paid, []],
  ['ticketed', {}, ['/max_attendees', '/registration_deadline', '/cost', '/currency']],
  ['ticketed', { ...paid, cost: 0 }, ['/cost']],
  ['ticketed', { ...paid, cost: -1 }, ['/cost']],
  ['ticketed', { ...paid, cost: null }, ['/cost']],
  ['ticketed', { ...paid, currency: null }, ['/currency']],
  ['ticketed', { ...paid, max_attendees: null }, ['/max_attendees']],
  ['ticketed', { ...paid, is_free: true }, ['/is_free']],
  ['none', { is_free: true, cost: 5 }, ['/is_free']],
  ['none', { is_free: true, cost: 0 }, []],
  ['none', { is_free: false, cost: null }, []],
])('registration %s with %j breaks the rules at %j', (registration_type, more, expected) => {
  expect(pointers({ registration_type, ...more })).toEqual(expected);
});

test.each<[Partial<SchoolEvent>, string[]]>([
  [{ is_recurring: true, recurrence_pattern: 'weekly' }, []],
  [{ is_recurring: true, recurrence_pattern: 'none' }, ['/is_recurring']],
  [{ is_recurring: false, recurrence_pattern: 'weekly' }, ['/is_recurring']],
  [{ is_recurring: true, recurrence_pattern: 'daily', recurrence_end_date: '2026-10-16' }, []],
  [{ is_recurring: true, recurrence_pattern: 'daily', recurrence_end_date: '2026-10-15' }, ['/recurrence_end_date']],
  [{ is_recurring: true, recurrence_pattern: 'daily', recurrence_end_date: '2026-02-30' }, ['/recurrence_end_date']],
])('%j breaks the rules of recurrence at %j', (more, expected) => {
  expect(pointers(more)).toEqual(expected);
});

const CONTROL = [
  '\u0000',
  '\u0007',
  '\n',
  '\r',
  '\t',
  '\u001f',
  '\u007f',
  '\u0085',
  '\u009f',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2066',
];

test.each(CONTROL)('a line holds no %j', (character) => {
  expect(isLine(`a${character}b`)).toBe(false);
});

test.each(['Žluťoučký kůň', 'a–b', '🎄', 'שלום', 'a b'])('%s is an ordinary line', (text) => {
  expect(isLine(text)).toBe(true);
});

test.each(['', ' \u00a0', '\u200b\u2060\ufeff', '\u00ad'])('%j shows nothing, so it is no line', (text) => {
  expect(isLine(text)).toBe(false);
});

test.each(['Come\u0000', 'Come\u001b[31m', 'Come \ud83d'])(
  'control characters and half emojis are found in the description %j',
  (description) => {
    expect(pointers({ description })).toEqual(['/description']);
  },
);

test('a description may have lines and tabs', () => {
  expect(pointers({ description: 'First\r\nsecond\n\tthird' })).toEqual([]);
});

test('names all faults together', () => {
  const faults = pointers({ registration_type: 'required', end_time: '17:00', is_recurring: true });
  expect(faults).toEqual(['/end_time', '/max_attendees', '/registration_deadline', '/is_recurring']);
});

test.each([
  ['a deadline after the start', { registration_deadline: at('2026-10-16T18:00:01Z') }, '/registration_deadline'],
  ['a virtual event without a link', { location: { isVirtual: true } }, '/location/virtualLink'],
  ['a waitlist without a capacity', { waitlist_enabled: true, max_attendees: null }, '/max_attendees'],
])('%s makes no sense in a new event, but does not block other edits of an old one', (_name, more, pointer) => {
  const event = anEvent(more);
  expect(senseFaults(event).map((fault) => fault.pointer)).toEqual([pointer]);
  expect(senseFaults({ ...event, title: 'Other' }, event)).toEqual([]);
});

test.each([
  [10.5, 'EUR', []],
  [10.555, 'EUR', ['/cost']],
  [100, 'JPY', []],
  [100.5, 'JPY', ['/cost']],
  [1.125, 'KWD', []],
])('a price of %s %s has the faults %j', (cost, currency, faults) => {
  expect(pointers({ is_free: false, cost, currency })).toEqual(faults);
});
