import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { contentFor } from '../../channels/templates/texts-samples.ts';

const TICKETED: Partial<SchoolEvent> = {
  registration_type: 'ticketed',
  registration_deadline: new Date('2026-09-04T10:00:00Z'),
  is_free: false,
  cost: 120,
  currency: 'CZK',
};
const termsOf = (about: Partial<SchoolEvent>, more: Parameters<typeof contentFor>[1] = {}) =>
  contentFor('event.published', { about: { ...TICKETED, ...about }, ...more }).event;

test('states price and deadline in the language of the reader', () => {
  expect(termsOf({})).toMatchObject({ price: 'CZK 120', register_by: 'Friday 4 September 2026, 12:00' });
  expect(termsOf({}, { locale: 'cs' })).toMatchObject({ price: '120 Kč', register_by: 'pátek 4. září 2026, 12:00' });
  expect(termsOf({ cost: 4.5, currency: 'EUR' }).price).toBe('€4.50');
  expect(termsOf({}, { timezone: 'Asia/Tokyo' }).register_by).toBe('Friday 4 September 2026, 12:00, Prague time');
});

test.each<[string, Partial<SchoolEvent>, object]>([
  ['no price of a free event', { is_free: true }, { price: '' }],
  [
    'no deadline that has passed, nor that people can register',
    { registration_deadline: new Date('2026-08-01T10:00:00Z') },
    { register_by: '', open_for_registration: false },
  ],
  [
    'no deadline without registration, nor that people can register',
    { registration_type: 'none' },
    { register_by: '', open_for_registration: false },
  ],
  [
    'that people can register, if there is no deadline',
    { registration_deadline: null },
    { register_by: '', open_for_registration: true },
  ],
  [
    'no file with an address that a browser would run',
    { attachments: [{ name: 'Plan', url: 'javascript:alert(1)' }] },
    { attachments: '' },
  ],
])('states %s', (_, about, expected) => {
  expect(termsOf(about)).toMatchObject(expected);
});

test('names files and the organizer, on one line each', () => {
  const attachments = [
    { name: 'Plan\r\nBcc: x', url: 'https://files.example/plan.pdf' },
    { name: 'Map', url: 'https://files.example/map' },
  ];
  const organizer = { type: 'staff' as const, name: 'Jan Dvořák', email: 'jan@school.example' };
  expect(termsOf({ attachments, organizer })).toMatchObject({
    attachments: 'Plan Bcc: x: https://files.example/plan.pdf\nMap: https://files.example/map',
    contact: 'Jan Dvořák, jan@school.example',
  });
});

test.each([
  ['jan@school.example', { name: 'Jan', address: 'jan@school.example' }],
  ['jan@škola.example', { name: 'Jan', address: 'jan@xn--kola-f6a.example' }],
  ['žák@school.example', null],
  [undefined, null],
])('sends answers to %s', (email, expected) => {
  const organizer = { type: 'staff' as const, name: 'Jan', ...(email ? { email } : {}) };
  expect(contentFor('event.published', { about: { organizer } }).reply_to).toEqual(expected);
});
