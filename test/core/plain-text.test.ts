import { expect, test } from 'vitest';
import { cut, searchWords, severalLines } from '../../src/core/plain-text.ts';
import { cpuMsOf } from '../support/cpu.ts';

test.each([
  ['x'.repeat(40), 'x'.repeat(40)],
  ['x'.repeat(41), `${'x'.repeat(39)}…`],
  [`${'x'.repeat(38)} long title`, `${'x'.repeat(38)}…`],
  [`${'x'.repeat(37)}👩‍👩‍👧 and more`, `${'x'.repeat(37)}…`],
  [`${'x'.repeat(38)}r\u030c and more`, `${'x'.repeat(38)}…`],
  ['Sign up by Friday: https://forms.example/abcdef', 'Sign up by Friday:…'],
  ['Look at https://a.example and bring boots, please', 'Look at https://a.example and bring boo…'],
])('cuts %j to at most 40 characters: %j', (text, short) => {
  expect(cut(text, 40)).toBe(short);
});

test('leaves no half emoji where nothing marks the cut', () => {
  expect(cut('ab😀', 3, '')).toBe('ab');
  expect(cut('ab😀c', 4, '')).toBe('ab😀');
});

test('removes blanks at the ends of lines, and takes no time for a long row of blanks', async () => {
  expect(severalLines('a \t\n b  c \n\n\n\nd ')).toBe('a\n b  c\n\nd');
  const blanks = ' '.repeat(50_000);
  const long = `a${blanks}b`;
  expect(await cpuMsOf(() => expect(severalLines(long)).toBe(long))).toBeLessThan(100);
});

test.each([
  ['Školní výlet!', ['skolni', 'vylet']],
  ['KONCERT, koncert', ['koncert']],
  ['Straße/STRASSE', ['strasse']],
  ['5.A – 2026', ['5', 'a', '2026']],
  ['Đorđe ﬁnále', ['đorđe', 'finale']],
  ['東京 遠足', ['東京', '遠足']],
  ['…!? 🎉', []],
  ['x'.repeat(80), ['x'.repeat(50)]],
])('the words to search %j by are %j', (text, words) => {
  expect(searchWords(text)).toEqual(words);
});
