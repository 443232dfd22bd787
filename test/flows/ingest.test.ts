import { expect, test } from 'vitest';
import { untilIdle } from '../faults/harness/checks.ts';
import { contactOf, draft, E, openSchool, putPeople } from '../support/world.ts';

const world = await openSchool();
const source = await world.token({ ...world.scope, user_id: 'lifecycle', roles: [], permissions: ['events.ingest'] });
await putPeople(
  world,
  ['petr', 'eva', 'karl'].map((user_id, n) =>
    contactOf(n, { user_id, email: `${user_id}@people.example`, locale: 'en' }),
  ),
);

const idle = () => untilIdle(world);
const subjectsTo = (address: string) =>
  world.smtp.messages
    .filter((mail) => mail.to.includes(address))
    .map((mail) => /^Subject: (.*)/im.exec(String(mail.raw))?.[1] ?? '');
const report = (...items: unknown[]) => world.call('POST', '/api/v1/ingest', { items }, { as: source });

test('events that another service reports are stored, announced and confirmed like our own', async () => {
  const starts = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const registrations = [
    { id: 'r-1', user_id: 'petr', kind: 'attendee', status: 'confirmed', created_at: '2026-01-01T08:00:00Z' },
    { id: 'r-2', user_id: 'eva', kind: 'attendee', status: 'confirmed', created_at: '2026-01-01T08:00:01Z' },
  ];
  const event = {
    ...draft({ title: 'Orchard day', registration_type: 'optional', max_attendees: 1, waitlist_enabled: true }),
    id: 'orchard',
    status: 'published',
    timezone: 'UTC',
    reminders: [{ type: 'email', offset: 60 }],
  };
  const published = { id: 'f-1', type: 'event.published', occurred_at: new Date().toISOString(), registrations };
  const first = await report({ ...published, event: { ...event, version: 1 } });
  expect(first).toMatchObject({ status: 202, body: { accepted: 1, rejected: 0 } });
  const [answer] = first.body.items as unknown as { event_id: string; left_out: unknown[] }[];
  expect(answer?.left_out).toEqual([{ registration_id: 'r-2', code: 'event_full', status: 'waitlisted' }]);
  await idle();
  // Everyone gets the announcement, the registered person a confirmation, the other one a place on the waitlist.
  expect(subjectsTo('karl@people.example')).toHaveLength(1);
  expect(subjectsTo('eva@people.example')).toHaveLength(2);
  expect(subjectsTo('petr@people.example')).toHaveLength(2);
  const plan = await world.call('GET', `${E}/orchard/reminders`);
  expect(plan.body.data).toMatchObject([{ type: 'email', offset: 60, status: 'planned' }]);

  // Two concurrent repeats send no second message.
  const again = await Promise.all([1, 2].map(() => report({ ...published, event: { ...event, version: 1 } })));
  for (const { body } of again) expect(body).toMatchObject({ accepted: 0, duplicates: 1 });
  const calledOff = { ...event, version: 3, status: 'cancelled', cancellation_reason: 'The orchard is under water' };
  const cancelled = { id: 'f-3', type: 'event.cancelled', occurred_at: new Date().toISOString(), event: calledOff };
  const both = await Promise.all([1, 2].map(() => report(cancelled)));
  expect(both.map(({ body }) => Number(body.accepted)).sort()).toEqual([0, 1]);
  const late = { id: 'f-2', type: 'event.edited', occurred_at: starts, event: { ...event, version: 2, title: 'Late' } };
  expect((await report(late)).body.items).toMatchObject([{ status: 'accepted', superseded: true }]);
  await idle();
  expect(subjectsTo('karl@people.example')).toHaveLength(1);
  expect(subjectsTo('eva@people.example')).toHaveLength(3);
  expect(subjectsTo('petr@people.example')).toHaveLength(3);
  expect(String(world.smtp.messages.at(-1)?.raw)).toContain('under water');
  const now = await world.call('GET', `${E}/orchard`);
  expect(now.body).toMatchObject({
    status: 'cancelled',
    title: 'Orchard day',
    current_attendees: 1,
    waitlist_count: 1,
  });
  expect((await world.call('GET', `${E}/orchard/reminders`)).body.data).toMatchObject([{ status: 'dropped' }]);
  // The relay's seat audit has nothing to repair.
  const lines = world.processes.flatMap(({ log }) => log);
  expect(lines.filter(({ msg }) => /^seats\./.test(msg))).toEqual([]);
});
