import { expect, it } from 'vitest';
import { cellOf } from '../../../src/http/registrations/export.ts';
import { textOf } from '../../guards/text-of.ts';

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@a', "'@a"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ['x;=cmd()', `"x;'=cmd()"`],
  ['x\t=cmd()', "x\t'=cmd()"],
  ['x,+1', '"x,\'+1"'],
  ['x\n@a', '"x\n\'@a"'],
  ['x;"=cmd()"', `"x;'""=cmd()"""`],
  ['a"b', '"a""b"'],
  ['a,b', '"a,b"'],
  ['a=b; c-d', '"a=b; c-d"'],
  ['one\r\n\r\ntwo', '"one\r\n\r\ntwo"'],
  [-1, "'-1"],
  [null, ''],
])('writes %j as %j', (value, cell) => {
  expect(cellOf(value)).toBe(cell);
});

/** All texts of up to four characters that mean something to a spreadsheet, and a letter. */
function* texts(length = 4): Generator<string> {
  yield '';
  if (length === 0) return;
  for (const rest of texts(length - 1)) for (const first of ';,\t\r\n=+"\' x') yield first + rest;
}

/** The value of a cell by RFC 4180. */
const parsed = (cell: string): string => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

it('produces no formula at any separator, and the documentation says how to get the text that was entered', async () => {
  const [, snippet = ''] = /```js\n(const asEntered [\s\S]*?)```/.exec(textOf('docs/security.md')) ?? [];
  const { asEntered } = await import(`data:text/javascript,${encodeURIComponent(`${snippet}export { asEntered };`)}`);
  const failed: string[] = [];
  for (const text of texts()) {
    const cell = cellOf(text);
    const parts = [',', ';', '\t'].flatMap((at) => cell.split(at)).concat(cell.split(/[,;\t\r\n]/), parsed(cell));
    // Quotes and blanks in front may be dropped by a reader.
    const isRun = parts.some((part) => /^["' ]*[=+\-@\t]/.test(part) && !/^["' ]*'["' ]*[=+\-@\t]/.test(part));
    if (isRun || asEntered(parsed(cell)) !== text) failed.push(JSON.stringify([text, cell]));
  }
  expect(failed.slice(0, 5)).toEqual([]);
});
