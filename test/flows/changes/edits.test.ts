import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';
import { skipWait, untilFactsProcessed, untilIdle } from '../../faults/harness/checks.ts';
import { contactOf, E, eventually, openSchool, publishEvent, putPeople } from '../../support/world.ts';

const PEOPLE = ['petr', 'jana', 'karl'];

const world = await openSchool();
const people = PEOPLE.map((user_id, n) => contactOf(n, { user_id, email: `${user_id}@people.example`, locale: 'en' }));
await putPeople(world, people);
const as: Record<string, string> = {};
for (const user_id of PEOPLE) as[user_id] = await world.token({ ...world.scope, user_id, roles: ['student'] });

const factsProcessed = (event_id: string) => untilFactsProcessed(world, { event_id });
const idle = (event_id: string) => untilIdle(world, { event_id });
const mailsTo = (user_id: string, id: string) =>
  world.smtp.messages.filter(({ to, event }) => to.includes(`${user_id}@people.example`) && event === id);

const lastMailTo = (user_id: string, id: string) => PostalMime.parse(mailsTo(user_id, id).at(-1)?.raw ?? '');

const published = (more: object = {}) =>
  publishEvent(world, { registration_type: 'optional', timezone: 'UTC', ...more });

const register = (id: string, user_id: string) =>
  world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee' }, { as: as[user_id] as string });

// They mostly wait, each for the messages of its own event.
describe.concurrent('a published event', () => {
  test('edits of the time within two minutes become one message that names the first time', async () => {
    const id = await published();
    await register(id, 'petr');
    await idle(id);
    const before = mailsTo('petr', id).length;
    for (const start_time of ['17:00', '16:30']) {
      expect((await world.call('PATCH', `${E}/${id}`, { start_time })).status).toBe(200);
      await factsProcessed(id);
    }
    await world.call('PATCH', `${E}/${id}`, { title: 'Autumn concert, with a typo mended' });
    await factsProcessed(id);
    const rows = await world.deliveries({ event_id: id, trigger: 'event.changed', channel: 'email' });
    expect(rows.map(({ status }) => status)).toEqual(['waiting', 'waiting']);
    for (const { due_at } of rows) expect(due_at.getTime()).toBeGreaterThan(Date.now() + 60_000);
    expect(mailsTo('petr', id)).toHaveLength(before);

    // Skip the two minutes.
    await skipWait(world, { event_id: id, trigger: 'event.changed' });
    await idle(id);
    expect(mailsTo('petr', id)).toHaveLength(before + 1);
    const mail = await lastMailTo('petr', id);
    expect(mail.text).toContain('18:00');
    expect(mail.text).toContain('16:30');
    expect(mail.text).not.toContain('17:00');
    const ended = await world.deliveries({ event_id: id, trigger: 'event.changed', channel: 'email' });
    expect(ended.map(({ status, reason }) => [status, reason ?? null]).sort()).toEqual([
      ['sent', null],
      ['skipped', 'superseded'],
    ]);
  });

  test.each(['optional', 'none'])(
    'an edit undone within two minutes sends nothing, with registration %s',
    async (registration_type) => {
      const id = await published({ registration_type });
      if (registration_type !== 'none') await register(id, 'petr');
      await idle(id);
      const mailsBefore = PEOPLE.map((user_id) => mailsTo(user_id, id).length);
      for (const start_time of ['17:00', '18:00']) {
        expect((await world.call('PATCH', `${E}/${id}`, { start_time })).status).toBe(200);
        await factsProcessed(id);
      }
      const notices = { event_id: id, trigger: 'event.changed' };
      // The first edit alone would have been sent.
      expect(await world.deliveries({ ...notices, channel: 'email', status: 'waiting' })).not.toEqual([]);
      await skipWait(world, notices);
      await idle(id);
      expect(PEOPLE.map((user_id) => mailsTo(user_id, id).length)).toEqual(mailsBefore);
      for (const { status, reason } of await world.deliveries({ ...notices, channel: { $in: ['email', 'in_app'] } }))
        expect([status, reason]).toEqual(['skipped', 'superseded']);
      // Staff must not read of a newer message, since there is none.
      const { why } = (await world.call('GET', `${E}/${id}/deliveries?user_id=petr`)).body as unknown as {
        why: { trigger: string; text: string }[];
      };
      const texts = why.filter(({ trigger }) => trigger === 'event.changed').map(({ text }) => text);
      expect(texts).toContain('not sent: a newer change came before sending');
      expect(texts.join()).not.toContain('newer message');
    },
  );

  test('an undone edit is sent only to the person who registered while it was in force', async () => {
    const id = await published();
    await register(id, 'petr');
    await idle(id);
    await world.call('PATCH', `${E}/${id}`, { start_time: '17:00' });
    await register(id, 'jana');
    await eventually('jana is notified of the wrong time', async () => {
      const confirmation = { event_id: id, user_id: 'jana', trigger: 'registration.confirmed', channel: 'email' };
      return (await world.deliveries({ ...confirmation, status: 'sent' })).length === 1;
    });
    const before = PEOPLE.map((user_id) => mailsTo(user_id, id).length);
    const undone = { start_time: '18:00' };
    const preview = await world.call('PATCH', `${E}/${id}?dry_run=true`, undone);
    expect(preview.body.audience).toMatchObject({ email: { told: 1 }, in_app: { told: 1 } });
    await world.call('PATCH', `${E}/${id}`, undone);
    const notices = { event_id: id, trigger: 'event.changed' };
    await eventually(
      'jana gets the correction',
      async () => (await world.deliveries({ ...notices, channel: 'email', status: 'sent' })).length === 1,
    );
    await skipWait(world, notices);
    await idle(id);
    expect(PEOPLE.map((user_id) => mailsTo(user_id, id).length)).toEqual(
      before.map((count, at) => (PEOPLE[at] === 'jana' ? count + 1 : count)),
    );
    const mail = await lastMailTo('jana', id);
    expect(mail.text).toMatch(/18:00/);
    const { why } = (await world.call('GET', `${E}/${id}/deliveries?user_id=petr`)).body as unknown as {
      why: { trigger: string; reason: string }[];
    };
    expect(why.filter(({ trigger }) => trigger === 'event.changed').map(({ reason }) => reason)).toContain(
      'undone_before',
    );
  });

  test('an event published again on its first time is announced to people who read another one meanwhile', async () => {
    const id = await published();
    await idle(id);
    const move = (start_time: string) => world.call('PATCH', `${E}/${id}`, { start_time });
    const revise = async (start_time: string) => {
      await world.call('POST', `${E}/${id}/unpublish`);
      await move(start_time);
      await world.call('POST', `${E}/${id}/publish`);
      await factsProcessed(id);
    };
    const mails = () => Promise.all(PEOPLE.map(async (user_id) => (await lastMailTo(user_id, id)).subject));
    // The confirmation of Petr names a time that no one else is notified of.
    await move('17:00');
    await factsProcessed(id);
    await register(id, 'petr');
    await eventually('petr reads another time', async () => (await mails())[0]?.includes('17:00') === true);
    await revise('18:00');
    await eventually('petr reads the first time', async () => (await mails())[0]?.includes('18:00') === true);
    expect(PEOPLE.map((user_id) => mailsTo(user_id, id).length)).toEqual([3, 1, 1]);
    // Two revisions of which no one is notified.
    await revise('16:00');
    await eventually('all read the new time', async () => (await mails()).every((one) => one?.includes('16:00')));
    await revise('18:00');
    await eventually('all read the first time', async () => (await mails()).every((one) => one?.includes('18:00')));
  });
});
