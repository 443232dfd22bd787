import { describe, expect, it } from 'vitest';
import { aContact } from '../../support/builders.ts';
import { EVERYTHING, provideHttp, STAFF, valuesOf, type Who } from '../../support/http/http-app.ts';

const { ask, tables } = await provideHttp();

const ROSTER = '/api/v1/operations/roster';
const CONTACTS = '/api/v1/operations/contacts';
const OFFICE: Who = { user_id: 'office', roles: ['staff'], permissions: ['events.contacts.manage'] };
const HEADS = 'id;name;class;guardian name;guardian e-mail';
const JAN = '1;Jan Nový;5.A;Eva Nová;eva@home.example';
const OTA = '2;Ota Malý;5.A;;';

const send = (query: string, rows: string[], who: Who = OFFICE) =>
  ask(who, 'POST', `${ROSTER}/import${query}`, {
    payload: Buffer.from([HEADS, ...rows].join('\r\n')),
    headers: { 'content-type': 'text/csv' },
  });

const DRY = '?dry_run=true';

describe('a roster', () => {
  it('is read first with suggested columns, and stores nothing', async () => {
    const payload = Buffer.from([HEADS, JAN, OTA].join('\n'));
    const { status, body } = await ask(OFFICE, 'POST', `${ROSTER}/columns`, {
      payload,
      headers: { 'content-type': 'text/csv' },
    });
    expect(status).toBe(200);
    expect(body.rows).toBe(2);
    expect(body.columns[2]).toEqual({ head: 'class', samples: ['5.A'], field: 'class_ids' });
    expect(body.columns[4]).toMatchObject({ field: 'guardian_1_email', samples: ['eva@home.example'] });
    expect(await tables.contacts()).toEqual([]);
  });

  it.each([
    ['an empty file', '', '', '/file must not be empty'],
    [
      'a column that it lacks',
      '?column=name:Surname',
      HEADS,
      '/query/column/name must be a column of the file, which has no “Surname”',
    ],
  ])('is refused for %s', async (_what, query, text, detail) => {
    const headers = { 'content-type': 'text/csv' };
    const answer = await ask(OFFICE, 'POST', `${ROSTER}/import${query}`, { payload: Buffer.from(text), headers });
    expect(answer).toMatchObject({ status: 422, body: { detail } });
  });

  it('reports in a dry run what an import then does, and the same import changes nothing more', async () => {
    const dry = await send(DRY, [JAN, OTA]);
    expect(dry.body).toMatchObject({
      dry_run: true,
      counts: { added: 3, left: 0, conflicts: 0 },
      needs_confirmation: false,
    });
    expect(await tables.contacts()).toEqual([]);
    const done = await send('', [JAN, OTA]);
    expect(done.body).toMatchObject({ dry_run: false, counts: { added: 3 } });
    const jan = await ask(OFFICE, 'GET', `${CONTACTS}/1`);
    expect(jan.body).toMatchObject({
      name: 'Jan Nový',
      class_ids: ['5.A'],
      guardians: ['eva@home.example'],
      in_roster: true,
    });
    expect((await send('', [JAN, OTA])).body.counts).toMatchObject({
      added: 0,
      changed: 0,
      left: 0,
      unchanged: 3,
    });
  });

  it('keeps the entries of those who left, and takes them back', async () => {
    await send('', [JAN, OTA]);
    // Another number than that of the file may have been confirmed for another file.
    for (const query of ['', '?confirm_left=2'])
      expect(await send(query, [JAN])).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/query/confirm_left', rule: 'confirm_left' }] },
      });
    expect((await send(DRY, [JAN])).body).toMatchObject({
      needs_confirmation: true,
      left: [{ name: 'Ota Malý' }],
    });
    expect((await send('?confirm_left=1', [JAN])).body.counts.left).toBe(1);

    const listed = async (query: string) => valuesOf(await ask(OFFICE, 'GET', `${CONTACTS}${query}`), 'name');
    expect(await listed('?left=true')).toEqual(['Ota Malý']);
    expect(await listed('?left=false')).toEqual(['Eva Nová', 'Jan Nový']);
    const picked = await ask(EVERYTHING, 'GET', '/api/v1/operations/people?q=ota');
    expect(picked.body.data).toEqual([]);

    expect((await send('', [JAN, OTA])).body.counts).toMatchObject({ returned: 1, unchanged: 2 });
    expect(await listed('?left=true')).toEqual([]);
  });

  it('still notices that people have left whom a program has changed meanwhile', async () => {
    await send('', [JAN, OTA]);
    const changed = await ask(OFFICE, 'PUT', `${CONTACTS}/2`, { payload: { name: 'Ota Malý', roles: ['student'] } });
    expect(changed.body).toMatchObject({ in_roster: true });
    const line = JSON.stringify({ user_id: '1', name: 'Jan Nový', roles: ['student'] });
    await ask(OFFICE, 'POST', `${CONTACTS}/import`, {
      payload: line,
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect((await send(DRY, ['3;Iva Nová;5.A;;'])).body.left).toMatchObject([{ user_id: '1' }, { user_id: '2' }]);
  });

  it('leaves people in the school who had left and were taken back by hand', async () => {
    await send('', [JAN, OTA]);
    await send('?confirm_left=1', [JAN]);
    const back = await ask(OFFICE, 'PUT', `${CONTACTS}/2`, { payload: { name: 'Ota Malý', roles: ['student'] } });
    expect(back.body).not.toHaveProperty('left_at');
    expect((await send('', [JAN])).body.counts).toMatchObject({ left: 0 });
  });

  it('touches no other school, and needs the permission', async () => {
    await tables.contacts.put(aContact('1', { name: 'Theirs', school_id: 's2', in_roster: true }));
    await send('', [OTA]);
    await send('?confirm_left=1', [JAN]);
    const theirs = (await tables.contacts()).filter(({ school_id }) => school_id === 's2');
    expect(theirs).toMatchObject([{ name: 'Theirs', in_roster: true }]);
    expect(theirs[0]).not.toHaveProperty('left_at');
    expect((await send('', [JAN], STAFF)).status).toBe(403);
  });

  it('is refused with the field and the rule', async () => {
    const refused = async (query: string, text: string) => {
      const payload = Buffer.from(text);
      const headers = { 'content-type': 'text/csv' };
      const { status, body } = await ask(OFFICE, 'POST', `${ROSTER}/import${query}`, { payload, headers });
      return [status, body.errors?.[0]?.pointer, body.errors?.[0]?.rule];
    };
    expect(await refused('', 'a;b\n1;2')).toEqual([422, '/query/column', 'required']);
    expect(await refused('?column=name:Who', 'a;b\n1;2')).toEqual([422, '/query/column/name', 'column']);
    expect(await refused('?column=wish:a', 'a;b\n1;2')).toEqual([422, '/query/column', 'enum']);
    expect(await refused('', 'name\n"open')).toEqual([422, '/file', 'csv']);
    expect(await refused('', `id;name\n${Array.from({ length: 50_001 }, (_, n) => `${n};J`).join('\n')}`)).toEqual([
      422,
      '/file',
      'csv',
    ]);
    expect((await refused('', 'x'.repeat(20_000_001)))[0]).toBe(413);
  });

  it('imports 2,000 pupils with their guardians in seconds', async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => `${n};Pupil ${n};${n % 9}.A;Parent ${n};p${n}@home.example`);
    const begun = performance.now();
    expect((await send('', rows)).body.counts).toMatchObject({ added: 4_000, conflicts: 0 });
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect((await send(DRY, rows)).body.counts).toMatchObject({ unchanged: 4_000, changed: 0 });
  });
});
