import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { untilIdle } from '../faults/harness/checks.ts';
import { contactOf, E, openSchool, publishEvent, putPeople } from '../support/world.ts';

const world = await openSchool();
const of = (user_id: string, guardian: string) =>
  contactOf(0, { user_id, name: user_id, email: null, roles: ['student'], guardians: [guardian] });
await putPeople(world, [
  contactOf(0, {
    user_id: 'eva',
    name: 'Eva Nováková',
    email: 'eva@rodina.example',
    roles: ['parent'],
    locale: 'en',
  }),
  contactOf(0, { user_id: 'ota', name: 'Ota Malý', email: 'ota@rodina.example', roles: ['parent'], locale: 'cs' }),
  of('Tom', 'eva'),
  of('Ema', 'ota'),
]);

const HOSTS = [
  { user_id: 'jana', name: 'Jana Dvořáková' },
  { user_id: 'petr', name: 'Petr Svoboda' },
];

async function mailsTo(address: string): Promise<{ subject: string; text: string; html: string }[]> {
  const mails = world.smtp.messages.filter(({ to }) => to.includes(address));
  return Promise.all(
    mails.map(async ({ raw }) => {
      const { subject = '', text = '', html = '' } = await PostalMime.parse(raw);
      return { subject, text, html };
    }),
  );
}

test('a parent is confirmed the chosen times with their teachers, and again after a change', async () => {
  const id = await publishEvent(world, {
    title: 'Parent-teacher evening',
    translations: { cs: { title: 'Třídní schůzky' } },
    event_type: 'parent_teacher',
    start_time: '16:00',
    end_time: '18:00',
    timezone: 'Europe/Prague',
    location_name: 'Room 12',
    registration_type: 'optional',
    slots: { length_minutes: 10, break_minutes: 5, hosts: HOSTS },
  });
  const register = async (guardian: string, user_id: string, slots: object[]) => {
    const as = await world.token({
      ...world.scope,
      user_id: guardian,
      roles: ['parent'],
    });
    const body = { kind: 'attendee', user_id, slots };
    const answer = await world.call('POST', `${E}/${id}/registrations`, body, { as });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return { as, rid: String(answer.body.id) };
  };
  const two = [
    { host_user_id: 'petr', minute: 60 },
    { host_user_id: 'jana', minute: 30 },
  ];
  const { as, rid } = await register('eva', 'Tom', two);
  await register('ota', 'Ema', [{ host_user_id: 'jana', minute: 45 }]);
  await untilIdle(world);

  const confirmed = async (address: string) =>
    (await mailsTo(address)).filter(({ subject }) => /confirmed|potvrzena/.test(subject));
  const [eva] = await confirmed('eva@rodina.example');
  expect(eva?.text).toContain('Meetings: 16:30–16:40, Jana Dvořáková; 17:00–17:10, Petr Svoboda\n');
  expect(eva?.html).toContain('16:30–16:40, Jana Dvořáková; 17:00–17:10, Petr Svoboda');
  const [ota] = await confirmed('ota@rodina.example');
  expect(ota?.text).toContain('Schůzky: 16:45–16:55, Jana Dvořáková\n');

  const moved = { slots: [{ host_user_id: 'jana', minute: 105 }] };
  expect((await world.call('PUT', `${E}/${id}/registrations/${rid}/slots`, moved, { as })).status).toBe(200);
  await untilIdle(world);
  const both = await confirmed('eva@rodina.example');
  expect(both).toHaveLength(2);
  expect(both[1]?.text).toContain('Meetings: 17:45–17:55, Jana Dvořáková\n');
  const inTime = (a: { created_at: Date }, b: { created_at: Date }) => a.created_at.getTime() - b.created_at.getTime();
  const ofTom = await world.deliveries({ user_id: 'Tom', trigger: 'registration.confirmed', channel: 'in_app' });
  expect(ofTom.sort(inTime).map((row) => (row as { body?: string }).body)).toEqual([
    expect.stringContaining('16:30–16:40, Jana Dvořáková; 17:00–17:10, Petr Svoboda'),
    expect.stringContaining('17:45–17:55, Jana Dvořáková'),
  ]);
});
