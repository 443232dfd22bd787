import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { Refused } from '../../src/core/errors.ts';
import { readTables } from '../../src/storage/read-tables.ts';
import { countTurns } from '../support/turns.ts';

const TABLE = {
  heads: ['Příjmení', 'Třída'],
  rows: [
    { row: 2, cells: ['Žižka', '5.A'] },
    { row: 4, cells: ['Ďáblová', '6.B'] },
  ],
};
const linesWith = (delimiter: string) =>
  ['Příjmení,Třída', 'Žižka,5.A', '', 'Ďáblová,6.B', ','].join('\r\n').replaceAll(',', delimiter);

/** Windows-1250 of the letters that these names have; Node only decodes it. */
const CP1250: Record<string, number> = { ř: 0xf8, í: 0xed, ž: 0x9e, Ž: 0x8e, Ď: 0xcf, á: 0xe1 };
const windows1250 = (text: string) => Uint8Array.from([...text].map((one) => CP1250[one] ?? one.charCodeAt(0)));
/** ISO 8859-2 has these letters in the same places, except two. */
const iso88592 = (text: string) => windows1250(text).map((byte) => ({ 158: 0xbe, 142: 0xae })[byte] ?? byte);

describe('a CSV file', () => {
  it.each([
    ['commas in UTF-8', strToU8(linesWith(','))],
    ['semicolons with a byte order mark', strToU8(`\ufeff${linesWith(';')}`)],
    ['semicolons in Windows-1250', windows1250(linesWith(';'))],
    ['semicolons in ISO 8859-2', iso88592(linesWith(';'))],
    ['a first line that names the separator, as Excel writes it', strToU8(`\ufeffsep=;\r\n${linesWith(';')}`)],
    ['tabs in UTF-16, as Excel saves Unicode text', Buffer.from(`\ufeff${linesWith('\t')}`, 'utf16le')],
    ['commas in big-endian UTF-16', Buffer.from(`\ufeff${linesWith(',')}`, 'utf16le').swap16()],
  ])('is read with %s, with the rows of a spreadsheet', async (_name, bytes) => {
    expect(await readTables(bytes)).toEqual([{ file: '', ...TABLE }]);
  });

  it('may begin with a column PK, as an archive does with these letters', async () => {
    expect(await readTables(strToU8('PK;name\n17;Jan\n'))).toMatchObject([{ heads: ['PK', 'name'] }]);
  });

  it('has delimiters and quotes in cells in quotes', async () => {
    const [table] = await readTables(strToU8('name;note\n"Nový; Jan";"says ""hi"", often"\n'));
    expect(table?.rows).toEqual([{ row: 2, cells: ['Nový; Jan', 'says "hi", often'] }]);
  });

  it('has quotes in cells without quotes', async () => {
    const [table] = await readTables(strToU8('name;class\nJan "Honza" Novák;5.A\n'));
    expect(table?.rows).toEqual([{ row: 2, cells: ['Jan "Honza" Novák', '5.A'] }]);
  });

  it.each([
    ['a quotation mark is not closed', 'name;note\nJan;x\nEva;"open\nIva;x\n', /close the quotation mark .* line 2/],
    ['a row is too long', `name;note\nJan;x\n${'x'.repeat(100_100)};\n`, /at most 100000 bytes .* line 3/],
  ])('is refused with the rule and the line if %s', async (_name, text, message) => {
    const error = await readTables(strToU8(text)).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(Refused);
    expect(String(error)).toMatch(message);
  });

  it('is refused quickly if it has more cells than fit into memory, in one row or many', async () => {
    for (const text of [','.repeat(1_200_000), `id;name\n${'1;J\n'.repeat(600_000)}`])
      await expect(readTables(strToU8(text))).rejects.toThrow(/at most 1000000 cells/);
  });

  it('leaves the process time for other work while it is read', async () => {
    const turns = countTurns();
    await readTables(strToU8(`id;name\n${'1;Jan\n'.repeat(100_000)}`));
    expect(turns.count).toBeGreaterThan(8);
  });

  it('has no rows if it is empty', async () => {
    expect(await readTables(new Uint8Array())).toEqual([{ file: '', heads: [], rows: [] }]);
  });
});

describe('an archive', () => {
  it('is read as the CSV files in it, whatever folder they are in', async () => {
    const bytes = zipSync({
      'export/users.csv': strToU8('id,name\n1,Jan'),
      '__MACOSX/._users.csv': strToU8('junk'),
      'readme.txt': strToU8('hello'),
    });
    expect(await readTables(bytes)).toEqual([
      { file: 'users.csv', heads: ['id', 'name'], rows: [{ row: 2, cells: ['1', 'Jan'] }] },
    ]);
  });

  it('is refused if it has no CSV file, as a workbook of Excel', async () => {
    const workbook = zipSync({
      'xl/workbook.xml': strToU8('<workbook/>'),
      'xl/worksheets/sheet1.xml': strToU8('<x/>'),
    });
    await expect(readTables(workbook)).rejects.toThrow(/must contain a CSV file/);
  });

  it('is refused if its files have too many cells together', async () => {
    const half = strToU8(`${','.repeat(999)}\n`.repeat(501));
    await expect(readTables(zipSync({ 'a.csv': half, 'b.csv': half }, { level: 1 }))).rejects.toThrow(
      /b.csv .* 1000000 cells/,
    );
  });

  it('is refused if it is damaged, or unpacks to more than 40 MB', async () => {
    await expect(readTables(strToU8('PK\u0003\u0004 not a zip'))).rejects.toThrow(/archive/);
    const bomb = zipSync({ 'a.csv': new Uint8Array(40_000_001) }, { level: 1 });
    expect(bomb.length).toBeLessThan(1_000_000);
    await expect(readTables(bomb)).rejects.toThrow(/40 MB/);
  });

  it('is refused if it names a false size and takes too long to unpack', async () => {
    const bomb = Buffer.from(zipSync({ 'a.csv': new Uint8Array(39_000_000) }, { level: 1 }));
    bomb.writeUInt32LE(100, bomb.indexOf('PK\u0001\u0002') + 24);
    await expect(readTables(bomb, '', 10)).rejects.toThrow(/40 MB/);
  });
});
