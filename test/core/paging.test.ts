import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor, PAGE_DEFAULT, PAGE_MAX, pageOf } from '../../src/core/paging.ts';

const FILTERS = { status: ['published'], tags: ['music'] };
const POSITION = { at: '2026-10-16T18:00:00.000Z', id: 'event-7' };
const rows = (count: number) => Array.from({ length: count }, (_, i) => ({ id: `e${i}`, at: `t${i}` }));
const page = (count: number) => pageOf(rows(count), 3, (row) => row, FILTERS);

test('pages hold 50 and at most 100', () => {
  expect([PAGE_DEFAULT, PAGE_MAX]).toEqual([50, 100]);
});

test.each([
  [0, 0, false],
  [1, 1, false],
  [3, 3, false],
  [4, 3, true],
])('of %d rows read for a page of 3 shows %d and sets has_more to %s', (count, shown, has_more) => {
  const { data, has_more: more, next_cursor } = page(count);
  expect(data).toEqual(rows(shown));
  expect(more).toBe(has_more);
  expect(next_cursor === null).toBe(!has_more);
});

test('the cursor continues after the last row shown', () => {
  expect(decodeCursor(page(4).next_cursor ?? '', FILTERS)).toEqual({ at: 't2', id: 'e2' });
});

test('the cursor belongs to its filters in any order', () => {
  const { status, tags } = FILTERS;
  expect(decodeCursor(encodeCursor(POSITION, ['events', FILTERS]), ['events', { tags, status }])).toEqual(POSITION);
});

test('decodes every encoded position; a cursor needs no escaping in a query', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.jsonValue(), (at, id, filters) => {
      const cursor = encodeCursor({ at, id }, filters);
      expect(encodeURIComponent(cursor)).toBe(cursor);
      expect(decodeCursor(cursor, filters)).toEqual({ at, id });
    }),
  );
});

test.each([[{}], [null], [undefined], [{ status: ['draft'] }], [{ ...FILTERS, q: 'x' }], [['published']]])(
  'refuses a cursor with other filters: %j',
  (filters) => {
    expect(decodeCursor(encodeCursor(POSITION, FILTERS), filters)).toBeNull();
  },
);

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each([
  [''],
  ['%%%'],
  ['not a cursor'],
  [encoded(null)],
  [encoded(7)],
  [encoded('abc')],
  [encoded([])],
  [encoded(['t', 'e'])],
  [encoded(['t', 'e', 'mark'])],
  [encoded({ 0: 't', 1: 'e', 2: 'm' })],
])('refuses a malformed cursor: %j', (cursor) => {
  expect(decodeCursor(cursor, FILTERS)).toBeNull();
});

test.each([[{ $gt: '' }], [7], [null], [['t']]])('refuses a position that is not text: %j', (at) => {
  const [, , mark] = JSON.parse(Buffer.from(encodeCursor(POSITION, FILTERS), 'base64url').toString());
  expect(decodeCursor(encoded(['t', 'e', mark]), FILTERS)).toEqual({ at: 't', id: 'e' });
  expect(decodeCursor(encoded([at, 'e', mark]), FILTERS)).toBeNull();
  expect(decodeCursor(encoded(['t', at, mark]), FILTERS)).toBeNull();
});
