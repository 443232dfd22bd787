import { describe, expect, test } from 'vitest';
import { type Quiet, quietAround, quietOf } from '../../src/people/preferences.ts';
import { at } from '../support/builders.ts';

const NIGHT = { from: '21:00', to: '07:00' };
const quiet = (more: Partial<Quiet> = {}): Quiet => ({ hours: NIGHT, breaks: [], zone: 'Europe/Prague', ...more });
const deferredUntil = (instant: string, of: Quiet) => {
  const around = quietAround(at(instant), of);
  return around && [around.since.toISOString(), around.until.toISOString()];
};

/** Prague is an hour ahead of UTC in winter, two in summer. */
test.each<[string, string, Partial<Quiet>, [string, string] | null]>([
  ['in the evening', '2026-01-15T19:59:59Z', {}, null],
  ['from the first minute', '2026-01-15T20:00:00Z', {}, ['2026-01-15T20:00:00.000Z', '2026-01-16T06:00:00.000Z']],
  ['past midnight', '2026-01-16T03:00:00Z', {}, ['2026-01-15T20:00:00.000Z', '2026-01-16T06:00:00.000Z']],
  ['in the last minute', '2026-01-16T05:59:59Z', {}, ['2026-01-15T20:00:00.000Z', '2026-01-16T06:00:00.000Z']],
  ['in the morning', '2026-01-16T06:00:00Z', {}, null],
  [
    'hours within a day',
    '2026-01-15T12:30:00Z',
    { hours: { from: '13:00', to: '15:00' } },
    ['2026-01-15T12:00:00.000Z', '2026-01-15T14:00:00.000Z'],
  ],
  ['hours of no length', '2026-01-15T20:00:00Z', { hours: { from: '21:00', to: '21:00' } }, null],
  ['no hours', '2026-01-15T23:00:00Z', { hours: null }, null],
  [
    'the night that is an hour shorter',
    '2026-03-29T00:30:00Z',
    {},
    ['2026-03-28T20:00:00.000Z', '2026-03-29T05:00:00.000Z'],
  ],
  [
    'the night that is an hour longer',
    '2026-10-25T00:30:00Z',
    {},
    ['2026-10-24T19:00:00.000Z', '2026-10-25T06:00:00.000Z'],
  ],
  [
    'a morning in the hour that is left out',
    '2026-03-29T00:30:00Z',
    { hours: { from: '22:00', to: '02:30' } },
    ['2026-03-28T21:00:00.000Z', '2026-03-29T01:30:00.000Z'],
  ],
  [
    'the hour after one that is left out, until the morning that moved into it',
    '2026-03-29T01:10:00Z',
    { hours: { from: '22:00', to: '02:30' } },
    ['2026-03-28T21:00:00.000Z', '2026-03-29T01:30:00.000Z'],
  ],
  ['before hours within a day', '2026-01-15T11:59:59Z', { hours: { from: '13:00', to: '15:00' } }, null],
  ['after hours within a day', '2026-01-15T14:00:00Z', { hours: { from: '13:00', to: '15:00' } }, null],
  [
    'a morning in the hour that comes twice: its first time',
    '2026-10-25T00:10:00Z',
    { hours: { from: '22:00', to: '02:30' } },
    ['2026-10-24T20:00:00.000Z', '2026-10-25T00:30:00.000Z'],
  ],
  [
    'the hour that comes twice, the second time',
    '2026-10-25T01:10:00Z',
    { hours: { from: '22:00', to: '02:30' } },
    null,
  ],
  [
    'another zone',
    '2026-01-15T16:00:00Z',
    { zone: 'Asia/Kathmandu' },
    ['2026-01-15T15:15:00.000Z', '2026-01-16T01:15:00.000Z'],
  ],
])('%s', (_, instant, more, expected) => {
  expect(deferredUntil(instant, quiet(more))).toEqual(expected);
});

describe('days without school', () => {
  const christmas = { name: 'Christmas', start_date: '2026-12-23', end_date: '2027-01-03' };
  test.each<[string, string, [string, string] | null]>([
    [
      'are quiet as a whole, with the nights beside them',
      '2026-12-25T12:00:00Z',
      ['2026-12-22T20:00:00.000Z', '2027-01-04T06:00:00.000Z'],
    ],
    [
      'the night before belongs to them',
      '2026-12-22T22:00:00Z',
      ['2026-12-22T20:00:00.000Z', '2027-01-04T06:00:00.000Z'],
    ],
    ['the afternoon before does not', '2026-12-22T15:00:00Z', null],
    ['nor does the first morning', '2027-01-04T06:00:00Z', null],
  ])('%s', (_, instant, expected) => {
    expect(deferredUntil(instant, quiet({ breaks: [christmas] }))).toEqual(expected);
  });

  test('name the holiday as the cause also in a night beside them', () => {
    const of = quiet({ breaks: [christmas] });
    const nights = ['2026-12-22T22:00:00Z', '2027-01-03T23:30:00Z', '2027-01-05T22:00:00Z'];
    expect(nights.map((night) => quietAround(at(night), of)?.isBreak)).toEqual([true, true, false]);
  });

  test('are those of the school', () => {
    expect(quietOf({ term_calendar: [christmas] }, null, 'UTC').breaks).toEqual([christmas]);
  });

  test('without hours they end at midnight', () => {
    expect(deferredUntil('2026-12-25T12:00:00Z', quiet({ hours: null, breaks: [christmas] }))).toEqual([
      '2026-12-22T23:00:00.000Z',
      '2027-01-03T23:00:00.000Z',
    ]);
  });
});

test('a person’s own hours replace the school’s, and a person may switch them off', () => {
  const school = { quiet_hours: NIGHT, term_calendar: [] };
  const own = { from: '23:00', to: '06:00' };
  expect(quietOf(school, null, 'UTC').hours).toEqual(NIGHT);
  expect(quietOf(school, own, 'UTC').hours).toEqual(own);
  expect(quietOf(school, 'off', 'UTC')).toEqual({ hours: null, breaks: [], zone: 'UTC' });
  expect(quietOf({}, undefined, 'UTC').hours).toBeNull();
});
