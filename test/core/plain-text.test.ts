import { expect, test } from 'vitest';
import { cut } from '../../src/core/plain-text.ts';

test.each([
  ['x'.repeat(40), 'x'.repeat(40)],
  ['x'.repeat(41), `${'x'.repeat(39)}…`],
  [`${'x'.repeat(38)} long title`, `${'x'.repeat(38)}…`],
  [`${'x'.repeat(37)}👩‍👩‍👧 and more`, `${'x'.repeat(37)}…`],
  [`${'x'.repeat(38)}r\u030c and more`, `${'x'.repeat(38)}…`],
])('cuts %j to at most 40 characters: %j', (text, short) => {
  expect(cut(text, 40)).toBe(short);
});

test('leaves no half emoji where nothing marks the cut', () => {
  expect(cut('ab😀', 3, '')).toBe('ab');
  expect(cut('ab😀c', 4, '')).toBe('ab😀');
});
