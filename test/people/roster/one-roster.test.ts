import { describe, expect, it } from 'vitest';
import { readOneRoster, schoolsOf } from '../../../src/people/roster/one-roster.ts';
import { directoryOf } from '../../../src/people/roster/values.ts';
import { readTables } from '../../../src/storage/read-tables.ts';
import { aContact } from '../../support/builders.ts';

/** Files as the OneRoster 1.2 CSV binding describes them, without the columns that are empty here. */
const FILES: Readonly<Record<string, string>> = {
  'manifest.csv': `propertyName,value
oneroster.version,1.2
file.users,bulk`,
  'orgs.csv': `sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId
D,,,Město,district,,
S,,,ZŠ Lipová,school,,D
T,,,ZŠ Jiná,school,,D`,
  'academicSessions.csv': `sourcedId,title,type,startDate,endDate
Y1,2025,schoolYear,2025-09-01,2026-08-31
Y2,2026,schoolYear,2026-09-01,2027-08-31`,
  'users.csv': `sourcedId,status,enabledUser,username,givenName,familyName,email,sms,phone,agentSourcedIds,grades
u1,,true,jan,Jan,Nový,jan@skola.example,,,"u3,u9",05
u2,,true,ida,Ida,Malá,,,,,06
u3,,true,eva,Eva,Nová,eva@home.example,777 123 456,,,
u4,,true,ota,Ota,Malý,bad@,,,u2,
u5,,true,ucitel,Petr,Učitel,petr@skola.example,,,,
u6,,true,sam,Sam,Samotný,,,,,
u7,tobedeleted,true,old,Old,Gone,,,,,
u8,,true,other,Jiný,Žák,,,,,`,
  'roles.csv': `sourcedId,userSourcedId,roleType,role,beginDate,endDate,orgSourcedId
r1,u1,primary,student,,,S
r2,u2,primary,student,,,S
r3,u3,primary,guardian,,,S
r5,u5,primary,teacher,,,S
r5b,u5,secondary,administrator,,2025-06-30,S
r6,u6,primary,parent,,,S
r7,u7,primary,student,,,S
r8,u8,primary,student,,,T`,
  'classes.csv': `sourcedId,title,classCode,classType,schoolSourcedId,termSourcedIds
c5,Pátá A,5.A,homeroom,S,Y2
c6,6.B,,homeroom,S,Y2
c4,Čtvrtá A,4.A,homeroom,S,Y1
cm,Matematika 5,M5,scheduled,S,Y2
ct,7.C,,homeroom,T,Y2`,
  'enrollments.csv': `sourcedId,classSourcedId,schoolSourcedId,userSourcedId,role,beginDate,endDate
e1,c5,S,u1,student,2026-09-01,
e2,c6,S,u2,student,,
e3,cm,S,u1,student,,
e4,c4,S,u1,student,,2026-06-30
e5,c5,S,u5,teacher,,
e6,ct,T,u8,student,,
e7,nope,S,u1,student,,
e8,c5,S,ghost,student,,`,
};
const tablesOf = async (files: Record<string, string>) =>
  (await Promise.all(Object.entries(files).map(([file, text]) => readTables(Buffer.from(text), file)))).flat();
const TODAY = '2026-11-24';
const read = async (more: Record<string, string> = {}, org: string | null = 'S', known = directoryOf([])) =>
  readOneRoster(await tablesOf({ ...FILES, ...more }), { org, country: '420', today: TODAY }, known);

describe('OneRoster files', () => {
  it('give the people of one school with current roles, homerooms, grades, guardians and addresses', async () => {
    const { people } = await read();
    const byId = Object.fromEntries(people.map((person) => [person.user_id, person]));
    expect(Object.keys(byId).sort()).toEqual(['u1', 'u2', 'u3', 'u4', 'u5']);
    expect(byId.u1).toMatchObject({
      name: 'Jan Nový',
      roles: ['student'],
      class_ids: ['5.A'],
      grade_level_ids: ['05'],
      guardians: ['u3'],
      email: 'jan@skola.example',
    });
    expect(byId.u3).toMatchObject({ roles: ['parent'], phone: '+420777123456' });
    // Named by the guardian only, who has no role of their own.
    expect(byId.u2).toMatchObject({ class_ids: ['6.B'], guardians: ['u4'] });
    expect(byId.u4).toMatchObject({ roles: ['parent'], name: 'Ota Malý' });
    expect(byId.u4).not.toHaveProperty('email');
    expect(byId.u5).toMatchObject({ roles: ['staff'], class_ids: ['5.A'] });
  });

  it('give a pupil each guardian, a teacher who is one both roles, and people the name and number they use', async () => {
    const { people } = await read({
      'users.csv': `sourcedId,status,enabledUser,username,givenName,familyName,preferredGivenName,preferredFamilyName,sms,phone,agentSourcedIds
u1,,true,jan,Jan,Nový,Honza,Novák,,,"u3,u5"
u3,,true,eva,Eva,Nová,,,,222 333 444,
u5,,true,petr,Petr,Učitel,,,777 123 456,222 333 444,`,
      'roles.csv': String(FILES['roles.csv']).replace('r3,u3,primary,guardian,,,S\n', ''),
    });
    expect(people).toMatchObject([
      { user_id: 'u1', name: 'Honza Novák', roles: ['student'], guardians: ['u3', 'u5'] },
      { user_id: 'u5', roles: ['staff', 'parent'], phone: '+420777123456' },
      { user_id: 'u3', roles: ['parent'], phone: '+420222333444' },
    ]);
  });

  it('name every conflict with file, row, field and rule', async () => {
    const { conflicts } = await read();
    expect(
      conflicts.map(({ file, row, field, rule, value, skipped }) => [file, row, field, rule, value, skipped]),
    ).toEqual([
      ['users.csv', 2, 'agentSourcedIds', 'unknown_person', 'u9', false],
      ['users.csv', 5, 'email', 'email', 'bad@', false],
      ['users.csv', 7, 'agentSourcedIds', 'no_child', 'Sam Samotný', true],
      ['enrollments.csv', 8, 'classSourcedId', 'unknown_class', 'nope', true],
      ['enrollments.csv', 9, 'userSourcedId', 'unknown_person', 'ghost', true],
    ]);
  });

  it('say nothing of fields without a column', async () => {
    const { people } = await read({ 'users.csv': 'sourcedId,givenName,familyName\nu1,Jan,Nový' });
    expect(people).toEqual([
      { user_id: 'u1', name: 'Jan Nový', roles: ['student'], class_ids: ['5.A'], file: 'users.csv', row: 2 },
    ]);
  });

  it('make no one their own guardian', async () => {
    const users = String(FILES['users.csv']).replace('"u3,u9"', '"u1,u3"');
    const { people, conflicts } = await read({ 'users.csv': users });
    expect(people.find(({ user_id }) => user_id === 'u1')).toMatchObject({ roles: ['student'], guardians: ['u3'] });
    expect(conflicts[0]).toMatchObject({ row: 2, field: 'agentSourcedIds', rule: 'own_guardian', value: 'u1' });
  });

  it('leave a guardian without a name to the pupil, since the directory may know them', async () => {
    const users = String(FILES['users.csv']).replace('Eva,Nová', ',');
    const { people, skipped } = await read({ 'users.csv': users });
    expect(people.find(({ user_id }) => user_id === 'u1')).toMatchObject({ guardians: ['u3'] });
    expect([...skipped]).toEqual(['u3']);
  });

  it('use the class ids of the directory', async () => {
    const { people } = await read({}, 'S', directoryOf([aContact('x', { class_ids: ['class-5a'] })]));
    expect(people.find(({ user_id }) => user_id === 'u1')?.class_ids).toEqual(['class-5a']);
  });

  it('have all classes if there are no homerooms', async () => {
    const scheduled = String(FILES['classes.csv']).replaceAll('homeroom', 'scheduled');
    const { people } = await read({ 'classes.csv': scheduled });
    expect(people.find(({ user_id }) => user_id === 'u1')?.class_ids).toEqual(['5.A', 'M5']);
  });

  it.each([
    ['one that begins today', 'c5,S,u1,student,2026-11-24,', ['5.A']],
    ['one that begins tomorrow', 'c5,S,u1,student,2026-11-25,', []],
    ['one that ends today', 'c5,S,u1,student,,2026-11-24', ['5.A']],
    ['one that ended yesterday', 'c5,S,u1,student,,2026-11-23', []],
    ['that of a class whose term has ended', 'c4,S,u1,student,,', []],
    ['that of another school', 'ct,S,u1,student,,', []],
    ['that of a class over two years', 'c8,S,u1,student,,', ['8.A']],
    ['that of a class whose term ends today', 'c9,S,u1,student,,', ['9.A']],
    ['that of a class without a term', 'c7,S,u1,student,,', ['7.A']],
  ])('of enrollments count %s: %s', async (_, enrollment, class_ids) => {
    const head = 'sourcedId,classSourcedId,schoolSourcedId,userSourcedId,role,beginDate,endDate';
    const classes = `${FILES['classes.csv']}
c8,8.A,,homeroom,S,"Y1,Y2"
c9,9.A,,homeroom,S,Y3
c7,7.A,,homeroom,S,`;
    const { people } = await read({
      'enrollments.csv': `${head}\ne1,${enrollment}`,
      'classes.csv': classes,
      'academicSessions.csv': `${FILES['academicSessions.csv']}\nY3,Autumn,term,2026-09-01,2026-11-24`,
    });
    expect(people.find(({ user_id }) => user_id === 'u1')?.class_ids).toEqual(class_ids);
  });

  it('report a user whose only role is unknown, who has not left', async () => {
    const roles = `${FILES['roles.csv']}\nr9,u6,primary,ext:janitor,,,S`.replace('r6,u6,primary,parent,,,S\n', '');
    const { people, conflicts, skipped } = await read({ 'roles.csv': roles });
    expect(people.some(({ user_id }) => user_id === 'u6')).toBe(false);
    expect([...skipped]).toEqual(['u6']);
    const fault = { file: 'roles.csv', row: 9, field: 'role', rule: 'role', value: 'ext:janitor', skipped: true };
    expect(conflicts).toContainEqual(fault);
  });

  it('of version 1.1 have roles and schools in users.csv', async () => {
    const users = `sourcedId,status,enabledUser,orgSourcedIds,role,username,givenName,familyName,email,sms,phone,agentSourcedIds,grades
a,,true,"S,T",student,a,Jan,Nový,,,,b,05
b,,true,S,parent,b,Eva,Nová,eva@home.example,,,,
c,,true,T,student,c,Jiný,Žák,,,,,`;
    const { people } = await read({
      'users.csv': users,
      'roles.csv': 'sourcedId',
      'enrollments.csv': 'userSourcedId,classSourcedId',
    });
    expect(people).toMatchObject([
      { user_id: 'a', roles: ['student'], guardians: ['b'] },
      { user_id: 'b', roles: ['parent'] },
    ]);
  });

  it('keep a teacher who is a parent of no child', async () => {
    const { people } = await read({ 'roles.csv': `${FILES['roles.csv']}\nr5c,u5,secondary,guardian,,,S` });
    expect(people.find(({ user_id }) => user_id === 'u5')?.roles).toEqual(['staff', 'parent']);
  });

  it('of one school need no choice', async () => {
    const orgs = String(FILES['orgs.csv']).replace(/\nT,.*/, '');
    expect((await read({ 'orgs.csv': orgs }, null)).people).toHaveLength(5);
  });

  it('list their schools', async () => {
    expect(schoolsOf(await tablesOf({ ...FILES }))).toEqual([
      { id: 'S', name: 'ZŠ Lipová' },
      { id: 'T', name: 'ZŠ Jiná' },
    ]);
  });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['without a choice of several schools', () => read({}, null), /\/query\/org must be .*: S, T/],
    ['of an unknown school', () => read({}, 'D'), /\/query\/org/],
    ['as a delta', () => read({ 'manifest.csv': 'propertyName,value\nfile.users,delta' }), /file\.users must be bulk/],
    [
      'without a column',
      () => read({ 'classes.csv': 'sourcedId,title' }),
      /\/file\/classes\.csv must have the column schoolSourcedId/,
    ],
  ])('are refused %s', async (_what, work, message) => {
    await expect(work()).rejects.toThrow(message);
  });

  it('are refused if a file is missing', async () => {
    const { 'enrollments.csv': _, ...others } = FILES;
    const read = readOneRoster(await tablesOf(others), { org: 'S', country: null, today: TODAY }, directoryOf([]));
    await expect(read).rejects.toThrow(/\/file\/enrollments\.csv is missing/);
  });
});
