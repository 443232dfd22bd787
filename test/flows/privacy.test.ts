import { connect, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PERSON_FIELDS } from '../../src/mongo/privacy/person-fields.ts';
import { untilIdle } from '../faults/harness/checks.ts';
import { allRows, fieldsWith, rowsWith } from '../support/search-database.ts';
import { contactOf, draft, E, eventually, type LogLine, provideWorld, publishEvent, SCHOOL } from '../support/world.ts';

const CONTACTS = '/api/v1/operations/contacts';

/** Words that must not be found anywhere: one for each way to identify Quirin. */
const QUIRIN = {
  user_id: 'canary-user-7f3a',
  name: 'Quirin Canaryname',
  email: 'canary-mail@people.example',
  phone: '+420777123987',
};
const SNAPSHOT = { email: 'canary-snapshot@people.example', phone: '+420777555111' };
const NOTES = 'canary-notes: allergic to nuts';
const LEAVING = 'canary-reason: broke a leg';
const BODY = 'canary-body: the bus leaves at eight';
const DEVICE = 'canary-device';
const WORDS = ['canary', 'Canaryname', QUIRIN.phone, SNAPSHOT.phone];

/** Words that neither Redis nor a log may ever receive. */
const PERSONAL = [...WORDS, 'Mother', 'mother@people', 'next@people', 'Sibling', 'One place', 'Rain'];
const personalIn = (text: string): string[] => PERSONAL.filter((word) => text.includes(word));

const commands: string[] = [];
let monitor: Socket;
const lines: LogLine[] = [];
const tokens = new Map<string, string>();

/** Printed by every process as it starts: a line of a log and raw output. */
const LEAKS = [JSON.stringify({ level: 'info', msg: 'leak', who: { name: QUIRIN.name } }), `Error: ${QUIRIN.email}`];
const isPlanted = ({ msg }: LogLine) => msg === 'leak' || msg === LEAKS[1];
const script = LEAKS.map((line) => `console.error(${JSON.stringify(line)});`).join('');
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(script)}`;

const world = provideWorld({ env: { LOG_LEVEL: 'trace', NODE_OPTIONS }, onLog: (line) => lines.push(line) });
beforeAll(async () => {
  const { hostname, port } = new URL(world.redis.uri);
  monitor = connect(Number(port), hostname).setEncoding('utf8');
  monitor.on('data', (text: string) => void commands.push(...text.split('\n')));
  monitor.write('MONITOR\r\n');
  await eventually('Redis reports its commands', () => commands.length > 0);
  const people = [
    contactOf(1, { ...QUIRIN, roles: ['student'], class_ids: ['5a'], guardians: ['mother'], locale: 'en' }),
    contactOf(2, { user_id: 'mother', name: 'Mother', roles: ['parent'], email: 'mother@people.example' }),
    contactOf(3, { user_id: 'next', name: 'Next', email: 'next@people.example', locale: 'en' }),
    // Has the same mailbox as Quirin.
    contactOf(4, { user_id: 'sibling', name: 'Sibling', email: QUIRIN.email, guardians: [QUIRIN.user_id] }),
  ];
  for (const { tenant_id: _, school_id: __, updated_at: ___, user_id, ...body } of people)
    expect((await world.call('PUT', `${CONTACTS}/${user_id}`, body)).status).toBe(201);
  for (const user_id of [QUIRIN.user_id, 'mother', 'next']) {
    const children = user_id === 'mother' ? [QUIRIN.user_id] : [];
    const more = { roles: ['student' as const], permissions: ['events.view'], children };
    tokens.set(user_id, await world.token({ ...SCHOOL, user_id, ...more }));
  }
});
afterAll(async () => {
  monitor?.destroy();
});

const as = (user_id: string, key?: string) => ({
  as: tokens.get(user_id) ?? '',
  ...(key ? { headers: { 'idempotency-key': key } } : {}),
});
const idle = () => untilIdle(world);

const seats = (title: string, max_attendees: number): Promise<string> =>
  publishEvent(world, {
    title,
    registration_type: 'required',
    registration_deadline: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    max_attendees,
    waitlist_enabled: true,
    reminders: [{ type: 'sms', offset: 60 }],
  });

const register = (id: string, user_id: string, more: object = {}, key?: string) =>
  world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', ...more }, as(user_id, key));
const registerOnce = () => register(held, QUIRIN.user_id, { notes: NOTES, contact: SNAPSHOT }, 'register-once');
const eraseOnce = () =>
  world.call('DELETE', `${CONTACTS}/${QUIRIN.user_id}`, undefined, { headers: { 'idempotency-key': 'erase-once' } });

let held: string;
let waited: string;

test('a person in use leaves traces in every place that the search covers', async () => {
  const quirin = as(QUIRIN.user_id);
  const me = '/api/v1/me';
  await world.call('PUT', `${me}/preferences`, { locale: 'en', opted_out: ['event.starting:push'] }, quirin);
  const device = world.push.subscribe(DEVICE, world.vapidPublicKey);
  expect((await world.call('POST', `${me}/push_subscriptions`, device, quirin)).status).toBeLessThan(300);
  for (const user_id of [QUIRIN.user_id, 'mother'])
    expect((await world.call('POST', `${me}/feed`, undefined, as(user_id))).status).toBe(201);

  // The answer of a refusing mail server names the address.
  held = await seats('One place', 1);
  expect(await registerOnce()).toMatchObject({ status: 201, body: { status: 'confirmed' } });
  expect(await register(held, 'next')).toMatchObject({ status: 201, body: { status: 'waitlisted' } });

  waited = await seats('Came and went', 5);
  const volunteer = { kind: 'volunteer', notes: NOTES, user_id: QUIRIN.user_id };
  const second = await register(waited, 'mother', volunteer, 'mother-registers');
  await world.call('POST', `${E}/${waited}/registrations/${second.body.id}/cancel`, { reason: LEAVING }, quirin);

  // An event of Quirin's own, restricted to Quirin by name.
  const own = await world.call('POST', E, {
    ...draft({ title: 'Of a person', visibility: 'restricted' }),
    restricted_to: { user_ids: [QUIRIN.user_id, 'next'] },
    organizer_id: QUIRIN.user_id,
    organizer: { type: 'staff', name: QUIRIN.name, email: QUIRIN.email },
  });
  expect(own.status).toBe(201);
  await world.call('POST', `${E}/${held}/registrations/messages`, {
    subject: 'The bus',
    body: BODY,
    channels: ['email', 'sms', 'push', 'in_app'],
  });
  await idle();
  await world.call('POST', `${E}/${held}/postpone`, { new_start_date: null, reason: 'Rain' });
  await idle();
  await world.call('POST', `${E}/${held}/publish`);
  await idle();
  // A bounce report has the provider's words about the address; insert one.
  await world.database.collection('suppressions').insertOne({
    _id: JSON.stringify([SCHOOL.tenant_id, 'sms', QUIRIN.phone]),
    tenant_id: SCHOOL.tenant_id,
    channel: 'sms',
    address: QUIRIN.phone,
    why: 'twilio 30005',
  } as never);

  const found = await rowsWith(world, WORDS);
  const collections = new Set(found.map((line) => line.slice(0, line.indexOf(':'))));
  for (const name of [
    'contacts',
    'registrations',
    'facts',
    'deliveries',
    'preferences',
    'push_subscriptions',
    'feeds',
    'replies',
    'events',
    'suppressions',
  ])
    expect(collections, `a trace in ${name}`).toContain(name);
  expect(await fieldsWith(world, WORDS)).not.toEqual([]);
  const table = PERSON_FIELDS as Record<string, Record<string, unknown>>;
  const notInTable = (await fieldsWith(world, WORDS)).filter(
    ([name, path]) => (table[name]?.[path] ?? 'none') === 'none',
  );
  expect(notInTable).toEqual([]);
});

test('the monitor sees names in Redis commands', async () => {
  const client = new Redis(world.redis.uri);
  await client.set('test:person', QUIRIN.name);
  await client.del('test:person');
  client.disconnect();
  await eventually('the command is seen', () => commands.some((command) => command.includes(QUIRIN.name)));
  commands.splice(0, commands.length, ...commands.filter((command) => !command.includes('test:person')));
});

test('the check sees names in logs and in raw output of a process', () => {
  const found = lines.filter(isPlanted).map((line) => [line.process, ...personalIn(JSON.stringify(line))]);
  const names = ['all', 'api'];
  expect(found.sort()).toEqual(
    names.flatMap((name) => [
      [name, 'Canaryname'],
      [name, 'canary'],
    ]),
  );
});

test('neither Redis nor a log has received personal data', async () => {
  expect(commands.length).toBeGreaterThan(100);
  expect(commands.filter((command) => personalIn(command).length > 0)).toEqual([]);
  const processes = new Set(lines.map((line) => line.process));
  expect([...processes]).toEqual(expect.arrayContaining(['all', 'api']));
  const own = lines.filter((line) => !isPlanted(line)).map((line) => JSON.stringify(line));
  expect(own.filter((line) => personalIn(line).length > 0)).toEqual([]);
});

test('erasing an unknown person or a person of another school or tenant changes nothing', async () => {
  const others = [
    [{ ...SCHOOL, school_id: 'elsewhere' }, QUIRIN.user_id],
    [{ ...SCHOOL, tenant_id: 'elsewhere' }, QUIRIN.user_id],
    [SCHOOL, 'nobody-7f3a'],
  ] as const;
  await idle();
  // The sweep adds up the counters of the changes before.
  const waiting = () => world.database.collection('event_tallies').countDocuments({ added: true });
  await eventually('the counters are added up', async () => (await waiting()) === 0);
  for (const [scope, user_id] of others) {
    const permissions = ['events.contacts.manage'];
    const token = await world.token({ ...scope, user_id: 'officer', roles: ['admin'], permissions });
    const before = await allRows(world);
    expect((await world.call('DELETE', `${CONTACTS}/${user_id}`, undefined, { as: token })).status).toBe(404);
    expect(await allRows(world)).toBe(before);
  }
});

test('an erasure leaves nothing of the person and gives the seat to the next one', async () => {
  const before = await numbers();
  expect((await eraseOnce()).status).toBe(204);
  await idle();
  // The body of a bulk message belongs to staff and stays with the event.
  const left = (await rowsWith(world, WORDS)).filter((line) => !line.includes('canary-body'));
  // The sibling keeps the mailbox.
  expect(left.filter((line) => !line.includes('"user_id":"sibling"'))).toEqual([]);
  expect(left.join('\n')).not.toMatch(new RegExp([QUIRIN.user_id, QUIRIN.name, 'snapshot', 'canary-notes'].join('|')));

  const listed = await world.call('GET', `${E}/${held}/registrations`);
  const active = (listed.body.data as unknown as { user_id: string; status: string }[]).filter(
    ({ status }) => status !== 'cancelled',
  );
  expect(active).toMatchObject([{ user_id: 'next', status: 'confirmed' }]);
  expect((await world.call('GET', `${E}/${held}`)).body).toMatchObject({ current_attendees: 1, available_spots: 0 });
  // Counts stay as they were, without a person behind them.
  const after = await numbers();
  expect(after.registrations).toBe(before.registrations);
  expect(after.deliveries).toBeGreaterThanOrEqual(before.deliveries);

  expect((await world.call('GET', `${CONTACTS}/${QUIRIN.user_id}`)).status).toBe(404);
  // A repeat of the registration does nothing, and a repeat of the erasure gets its stored reply.
  expect(await registerOnce()).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await eraseOnce()).status).toBe(204);
  expect((await world.call('DELETE', `${CONTACTS}/${QUIRIN.user_id}`)).status).toBe(404);
});

async function numbers(): Promise<{ registrations: number; deliveries: number }> {
  const count = (name: 'registrations' | 'deliveries') => world.database.collection(name).countDocuments();
  return { registrations: await count('registrations'), deliveries: await count('deliveries') };
}
