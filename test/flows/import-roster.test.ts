import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runImport } from '../../src/cli/import-roster.ts';
import { emptyDatabaseUri, freshDatabaseUri, setUp } from '../support/database.ts';

const SCHOOL = ['--tenant', 't1', '--school', 's1'];
const FILES: Readonly<Record<string, string>> = {
  'orgs.csv': 'sourcedId,name,type\nS,ZŠ,school',
  'users.csv':
    'sourcedId,givenName,familyName,email,agentSourcedIds\nu1,Jan,Nový,,u2\nu2,Eva,Nová,eva@,\nu3,Ota,Malý,,',
  'roles.csv': 'sourcedId,userSourcedId,role,orgSourcedId\nr1,u1,student,S\nr3,u3,student,S',
  'classes.csv': 'sourcedId,title,classType,schoolSourcedId\nc1,5.A,homeroom,S',
  'enrollments.csv': 'userSourcedId,classSourcedId\nu1,c1\nu3,c1',
};

/** Some programs write names in capitals. */
const nameOf = (file: string) => (file === 'users.csv' ? 'USERS.CSV' : file);

let uri: string;
let folder: string;
beforeAll(async () => {
  uri = await emptyDatabaseUri();
  await setUp(uri);
  folder = await mkdtemp(join(tmpdir(), 'roster-'));
  for (const [file, text] of Object.entries(FILES)) await writeFile(join(folder, nameOf(file)), text);
  await writeFile(join(folder, '._users.csv'), 'hidden file of macOS');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const NEW = '--new-school';
const run = async (...args: string[]) => {
  const { code, lines } = await runImport(args, () => ({ mongo: { uri }, oneRoster: null }));
  return { code, line: lines[0]?.startsWith('{') ? JSON.parse(lines[0]) : lines[0], more: lines.slice(1) };
};

test('the nightly command previews, imports, refuses a sudden loss, and prints counts without personal data', async () => {
  const file = ['--file', folder];
  const counts = { added: 3, changed: 0, returned: 0, left: 0, unchanged: 0, conflicts: 1, needs_confirmation: false };
  const about = { tenant_id: 't1', school_id: 's1' };
  expect(await run(...SCHOOL, ...file, '--dry-run', NEW)).toEqual({
    code: 0,
    line: { event: 'roster.previewed', ...about, ...counts },
    more: ['users.csv row 3 email email'],
  });
  expect(await run(...SCHOOL, ...file, NEW)).toMatchObject({ code: 0, line: { event: 'roster.imported', ...counts } });
  expect(await run(...SCHOOL, ...file)).toMatchObject({ code: 0, line: { added: 0, unchanged: 3, left: 0 } });

  await writeFile(join(folder, 'roles.csv'), String(FILES['roles.csv']).replace(/\nr3.*/, ''));
  expect(await run(...SCHOOL, ...file)).toMatchObject({
    code: 1,
    line: { event: 'roster.refused', errors: [{ rule: 'confirm_left' }] },
  });
  expect(await run(...SCHOOL, ...file, '--confirm-left', '1')).toMatchObject({ code: 0, line: { left: 1 } });
  expect(await run('--tenant', 't1', '--school', 's2', ...file, '--dry-run', NEW)).toMatchObject({
    line: { added: 2, left: 0 },
  });
});

test('the command refuses a school of which nothing is stored, also for a preview', async () => {
  const given = ['--tenant', 't1', '--school', 's1x', '--file', folder];
  const refused = 'there is no school s1x of t1; if it is a new one, add --new-school';
  await expect(run(...given)).rejects.toThrow(refused);
  await expect(run(...given, '--dry-run')).rejects.toThrow(refused);
  expect(await run(...given, '--dry-run', NEW)).toMatchObject({ code: 0, line: { event: 'roster.previewed' } });
});

test('the command refuses a database that was never set up, also for a new school', async () => {
  const mongo = { uri: freshDatabaseUri(inject('mongodbUri')) };
  const args = [...SCHOOL, '--file', folder, NEW];
  await expect(runImport(args, () => ({ mongo, oneRoster: null }))).rejects.toThrow(
    /^the database sb_\w+ was never set up/,
  );
});

test.each([
  ['--tenant is missing', []],
  ['--school is missing', ['--tenant', 't1']],
  ['--file is missing', SCHOOL],
  ['boss is not a role', [...SCHOOL, '--file', 'x', '--role', 'boss']],
])('the command answers "%s" to %j', async (fault, args) => {
  await expect(run(...args)).rejects.toThrow(fault);
});

test('a plain CSV file is imported by its heads, and refused with the field and the rule', async () => {
  const path = join(folder, 'plain.txt');
  await writeFile(path, 'ID;Jméno;Třída\n1;Jan;5.A');
  const given = ['--tenant', 't1', '--school', 'plain', '--file', path];
  expect(await run(...given, NEW)).toMatchObject({ code: 0, line: { added: 1 } });
  expect(await run(...given, '--column', 'name:Who')).toMatchObject({
    code: 1,
    line: { event: 'roster.refused', errors: [{ pointer: '/query/column/name', rule: 'column' }] },
  });
  expect(await run(...given, '--column', 'name')).toMatchObject({
    code: 1,
    line: { event: 'roster.refused', errors: [{ pointer: '/query/column', rule: 'enum' }] },
  });
});
