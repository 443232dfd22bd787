import { createServer } from 'node:http';
import { Agent } from 'undici';
import { describe, expect, test } from 'vitest';
import { pullOneRoster } from '../../src/outbound/one-roster-server.ts';
import { readOneRoster } from '../../src/people/roster/one-roster.ts';
import { directoryOf } from '../../src/people/roster/values.ts';
import { listen } from '../support/listen.ts';
import { serve } from '../support/serve.ts';

const ref = (sourcedId: string) => ({ sourcedId, href: '', type: '' });
const DATA: Record<string, object[]> = {
  orgs: [{ sourcedId: 'S', status: 'active', name: 'ZŠ', type: 'school' }],
  academicSessions: [{ sourcedId: 'Y', endDate: '2027-08-31' }],
  users: [
    {
      sourcedId: 'u1',
      status: 'active',
      givenName: 'Jan',
      familyName: 'Nový',
      roles: [{ roleType: 'primary', role: 'student', org: ref('S') }],
      agents: [ref('u2')],
      grades: ['05'],
    },
    { sourcedId: 'u2', givenName: 'Eva', familyName: 'Nová', email: 'eva@home.example', roles: [] },
    // A page is full with these, who have no role at the school.
    ...Array.from({ length: 1_000 }, (_, n) => ({ sourcedId: `x${n}`, givenName: 'X', familyName: 'Y', roles: [] })),
  ],
  classes: [{ sourcedId: 'c', title: '5.A', classType: 'homeroom', school: ref('S'), terms: [ref('Y')] }],
  enrollments: [{ sourcedId: 'e', user: ref('u1'), class: ref('c'), school: ref('S'), role: 'student' }],
};

const USERS = Array.from({ length: 250 }, (_, n) => ({ sourcedId: `u${n}`, roles: [] }));

/** A server with pages of 100, on which only users are. */
const serveUsers = (usersNow: () => object[]) =>
  serve((request, response) => {
    const { pathname, searchParams } = new URL(String(request.url), 'http://x');
    const name = pathname.split('/').at(-1) ?? '';
    const all = name === 'users' ? usersNow() : [];
    const offset = Number(searchParams.get('offset'));
    response.setHeader('x-total-count', all.length);
    response.end(JSON.stringify({ access_token: 'T', [name]: all.slice(offset, offset + 100) }));
  });

const pull = (origin: string, agent?: Agent) => {
  const account = { clientId: 'school bell', clientSecret: 's/ecret' };
  return pullOneRoster({ url: `${origin}/v1p2`, tokenUrl: `${origin}/token`, ...account }, agent);
};

const idsOf = (tables: Awaited<ReturnType<typeof pull>>) =>
  tables.find(({ file }) => file === 'users.csv')?.rows.map(({ cells: [id] }) => id);

describe('a OneRoster server', () => {
  test('is read page by page with a token, as the files of the CSV binding', async () => {
    const asked: string[] = [];
    const origin = await serve((request, response) => {
      const { pathname, searchParams } = new URL(String(request.url), 'http://x');
      asked.push(`${request.method} ${pathname} ${request.headers.authorization}`);
      if (pathname === '/token') return response.end(JSON.stringify({ access_token: 'T', token_type: 'bearer' }));
      const name = pathname.split('/').at(-1) ?? '';
      const offset = Number(searchParams.get('offset'));
      response.end(JSON.stringify({ [name]: DATA[name]?.slice(offset, offset + Number(searchParams.get('limit'))) }));
    });
    const tables = await pull(origin, new Agent());
    const basic = Buffer.from('school%20bell:s%2Fecret').toString('base64');
    expect(asked[0]).toBe(`POST /token Basic ${basic}`);
    expect(asked.filter((line) => line.startsWith('GET /v1p2/users Bearer T'))).toHaveLength(2);
    expect(idsOf(tables)).toHaveLength(1_002);
    const { people, conflicts } = await readOneRoster(
      tables,
      { org: null, country: null, today: '2026-11-24' },
      directoryOf([]),
    );
    expect(conflicts).toEqual([]);
    expect(people).toMatchObject([
      {
        user_id: 'u1',
        name: 'Jan Nový',
        roles: ['student'],
        class_ids: ['5.A'],
        grade_level_ids: ['05'],
        guardians: ['u2'],
      },
      { user_id: 'u2', roles: ['parent'], email: 'eva@home.example' },
    ]);
  });

  test('is read to its end if its pages are smaller than asked for', async () => {
    const tables = await pull(await serveUsers(() => USERS), new Agent());
    expect(idsOf(tables)).toEqual(USERS.map(({ sourcedId }) => sourcedId));
  });

  test('is read again from the start if people leave between two pages, so that no one is missed', async () => {
    let asked = 0;
    const origin = await serveUsers(() => (asked++ === 0 ? USERS : USERS.slice(1)));
    const tables = await pull(origin, new Agent());
    expect(idsOf(tables)).toEqual(USERS.slice(1).map(({ sourcedId }) => sourcedId));
  });

  test('at a private address is not connected to', async () => {
    let isReached = false;
    const origin = await serve((_request, response) => {
      isReached = true;
      response.end('{}');
    });
    await expect(pull(origin)).rejects.toThrow(`${origin}/token: a private address`);
    expect(isReached).toBe(false);
  });

  test.each([
    [401, {}],
    [302, { location: '/elsewhere' }],
  ])('that answers %i gets no further request, and the error shows no secret', async (status, headers) => {
    let count = 0;
    const origin = await serve((_request, response) => {
      count += 1;
      response.writeHead(status, headers).end();
    });
    const failure = await pull(origin, new Agent()).catch((error: Error) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toMatch(/ecret/);
    expect(count).toBe(1);
  });

  test.each([
    ['no JSON', 'token=s/ecret'],
    ['no object', '"s/ecret"'],
    ['no token', '{"secret": "s/ecret"}'],
  ])('that answers %s is named, without its answer', async (_name, answer) => {
    const origin = await serve((_request, response) => void response.end(answer));
    const failure = await pull(origin, new Agent()).catch((error: Error) => error);
    expect(String(failure)).toBe(`Error: ${origin}/token answered 200 without access_token`);
  });

  test('that cannot be reached is named', async () => {
    const server = createServer();
    const port = await listen(server);
    server.close();
    const expected = `http://127.0.0.1:${port}/token: nothing listens at 127.0.0.1:${port}`;
    await expect(pull(`http://127.0.0.1:${port}`, new Agent())).rejects.toThrow(expected);
  });
});
