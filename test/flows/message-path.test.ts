import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { untilIdle } from '../faults/harness/checks.ts';
import { contactOf, draft, E, eventually, openSchool, publishEvent } from '../support/world.ts';

const ANNA = 'anna'; // a student without an address of her own
const PETR = 'petr'; // a student with one
const EVA = 'eva'; // mother of both, Czech, a phone and a browser
const KARL = 'karl'; // a teacher, English

const world = await openSchool();
const tokenOf = (user_id: string, roles: ('student' | 'parent' | 'staff')[]) =>
  world.token({
    ...world.scope,
    user_id,
    roles,
    children: user_id === EVA ? [ANNA, PETR] : [],
  });
const contacts = [
  contactOf(1, { user_id: ANNA, name: 'Anna Nováková', email: null, guardians: [EVA], locale: 'cs' }),
  contactOf(2, { user_id: PETR, name: 'Petr Novák', email: 'petr@people.example', guardians: [EVA], locale: 'cs' }),
  contactOf(3, {
    user_id: EVA,
    name: 'Eva Nováková',
    email: 'eva@people.example',
    phone: '+420601123456',
    roles: ['parent'],
    locale: 'cs',
  }),
  contactOf(4, { user_id: KARL, name: 'Karl Smith', email: 'karl@people.example', roles: ['staff'], locale: 'en' }),
];
const lines = contacts.map(({ tenant_id: _, school_id: __, updated_at: ___, ...contact }) => JSON.stringify(contact));
const imported = await world.call('POST', '/api/v1/operations/contacts/import', lines.join('\n'), {
  headers: { 'content-type': 'application/x-ndjson' },
});
expect(imported.body).toMatchObject({ received: 4, inserted: 4, faulty_count: 0 });
const browser = world.push.subscribe(EVA, world.vapidPublicKey);
const subscribed = await world.call('POST', '/api/v1/me/push_subscriptions', browser, {
  as: await tokenOf(EVA, ['parent']),
});
expect(subscribed.status).toBeLessThan(300);

const idle = () => untilIdle(world);

const mailsTo = (address: string) => world.smtp.messages.filter((mail) => mail.to.includes(address));

async function lastMailTo(address: string) {
  const last = mailsTo(address).at(-1);
  if (!last) throw new Error(`no mail to ${address}`);
  const mail = await PostalMime.parse(last.raw, { attachmentEncoding: 'utf8' });
  const ics = mail.attachments.find((part) => part.filename?.endsWith('.ics'));
  return { ...mail, ics: String(ics?.content ?? '').replace(/\r?\n /g, '') };
}

async function inboxOf(user_id: string): Promise<string[]> {
  const { body } = await world.call('GET', '/api/v1/me/inbox', undefined, { as: await tokenOf(user_id, ['student']) });
  return (body.data as unknown as { trigger: string }[]).map((entry) => entry.trigger);
}

test('an event from draft to cancelled notifies everyone concerned once on every channel', async () => {
  const created = await world.call(
    'POST',
    E,
    draft({
      title: 'Školní výlet',
      registration_type: 'required',
      registration_deadline: new Date(Date.now() + 5 * 86_400_000).toISOString(),
      max_attendees: 1,
      waitlist_enabled: true,
      timezone: 'Europe/Prague',
      location_name: 'Aula',
      is_free: false,
      cost: 120,
      currency: 'CZK',
      organizer: { type: 'staff', name: 'Tina Malá', email: 'tina@school.example' },
      attachments: [{ name: 'Programme', url: 'https://files.example/programme.pdf' }],
    }),
  );
  expect(created.status).toBe(201);
  const id = String(created.body.id);
  expect(created.headers.get('location')).toBe(`${E}/${id}`);
  expect(created.body).toMatchObject({ status: 'draft', current_attendees: 0, available_spots: 1 });

  // The announcement reaches the whole audience: one mail per address, a student without one through the guardian.
  const published = await world.call('POST', `${E}/${id}/publish`);
  expect(published.body).toMatchObject({ status: 'published' });
  await idle();
  // There is no collector of traces.
  const traced = { event_id: id, traceparent: { $exists: true } };
  expect(await world.database.collection('facts').countDocuments(traced as never)).toBe(0);
  for (const address of ['eva@people.example', 'petr@people.example', 'karl@people.example'])
    expect(mailsTo(address)).toHaveLength(1);
  expect((await lastMailTo('eva@people.example')).subject).toContain('Školní výlet');
  const announced = await lastMailTo('karl@people.example');
  expect(announced.text).toMatch(/18:00/);
  for (const line of [
    'Please register by: ',
    'Price: CZK 120',
    'Contact: Tina Malá',
    'https://files.example/programme.pdf',
  ])
    expect(announced.text).toContain(line);
  expect(announced.replyTo).toEqual([{ name: 'Tina Malá', address: 'tina@school.example' }]);
  expect(world.push.messages.map((push) => push.device)).toEqual([EVA]);
  for (const person of [ANNA, PETR, EVA, KARL]) expect(await inboxOf(person)).toEqual(['event.published']);

  // Petr gets the only place; Anna, registered by her mother, joins the waitlist.
  const petr = await tokenOf(PETR, ['student']);
  const eva = await tokenOf(EVA, ['parent']);
  const first = await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee' }, { as: petr });
  expect(first).toMatchObject({ status: 201, body: { status: 'confirmed' } });
  const second = await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id: ANNA }, { as: eva });
  expect(second).toMatchObject({ status: 201, body: { status: 'waitlisted', waitlist_position: 1 } });
  const again = await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee' }, { as: petr });
  expect(again).toMatchObject({ status: 409, body: { code: 'already_registered' } });
  await idle();
  const confirmation = await lastMailTo('petr@people.example');
  expect(confirmation.ics).toContain('METHOD:REQUEST');
  expect(confirmation.ics).toContain('mailto:petr@people.example');

  // Petr cancels: Anna is promoted in the same transaction, and her mother is notified.
  const cancelled = await world.call('POST', `${E}/${id}/registrations/${first.body.id}/cancel`, {}, { as: petr });
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
  const promoted = await world.call('GET', `${E}/${id}/registrations/${second.body.id}`, undefined, { as: eva });
  expect(promoted.body).toMatchObject({ status: 'confirmed' });
  await idle();
  expect((await lastMailTo('eva@people.example')).text).toContain('Anna Nováková');

  // Postponement and cancellation reach registered people only, with an updated calendar entry.
  const day = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
  const postponed = await world.call('POST', `${E}/${id}/postpone`, { new_start_date: day, reason: 'Rain' });
  expect(postponed.body).toMatchObject({ status: 'postponed', start_date: day, start_time: '18:00' });
  await idle();
  const before = await lastMailTo('eva@people.example');
  expect(before.ics).toContain('METHOD:REQUEST');
  await world.call('POST', `${E}/${id}/publish`);
  await idle();
  const gone = await world.call('POST', `${E}/${id}/cancel`, { reason: 'The bus broke down' });
  expect(gone.body).toMatchObject({ status: 'cancelled', cancellation_reason: 'The bus broke down' });
  await idle();
  const last = await lastMailTo('eva@people.example');
  expect(last.ics).toContain('METHOD:CANCEL');
  expect(sequenceOf(last.ics)).toBeGreaterThan(sequenceOf(before.ics));
  expect(last.headers.find((header) => header.key === 'list-unsubscribe-post')?.value).toBe(
    'List-Unsubscribe=One-Click',
  );
  expect(world.twilio.messages.map((sms) => sms.to)).toEqual(['+420601123456', '+420601123456']);
  // Two announcements, one place on the waitlist and one confirmation (Anna's), one postponement, one cancellation.
  expect(mailsTo('eva@people.example')).toHaveLength(6);
  expect(mailsTo('karl@people.example')).toHaveLength(2);
  expect(await inboxOf(ANNA)).toEqual([
    'event.cancelled',
    'event.published',
    'event.postponed',
    'registration.confirmed',
    'registration.waitlisted',
    'event.published',
  ]);

  const why = await world.call('GET', `${E}/${id}/deliveries?user_id=${KARL}`);
  expect(why.status).toBe(200);
  const late = await world.call('POST', `${E}/${id}/publish`);
  expect(late).toMatchObject({ status: 409, body: { code: 'invalid_transition', current_status: 'cancelled' } });
});

const sequenceOf = (ics: string): number => Number(/SEQUENCE:(\d+)/.exec(ics)?.[1]);

test('a due reminder is sent, and one of a cancelled event is not', async () => {
  const start = new Date(Date.now() + 3_600_000);
  const wall = {
    start_date: start.toISOString().slice(0, 10),
    end_date: start.toISOString().slice(0, 10),
    timezone: 'UTC',
  };
  const times = { start_time: start.toISOString().slice(11, 16), end_time: '23:59' };
  const reminders = [{ type: 'email', offset: 30 }];
  const ids: string[] = [];
  for (const title of ['Kept', 'Called off']) {
    const id = await publishEvent(world, { title, ...wall, ...times, reminders, registration_type: 'optional' });
    ids.push(id);
    const as = await tokenOf(PETR, ['student']);
    await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee' }, { as });
    expect((await world.call('GET', `${E}/${id}/reminders`)).body.data).toMatchObject([
      { type: 'email', offset: 30, status: 'planned' },
    ]);
  }
  await idle();
  await world.call('POST', `${E}/${ids[1]}/cancel`, { reason: 'No hall' });
  await idle();
  const before = mailsTo('petr@people.example').length;
  // Skip the half hour.
  await world.database
    .collection('reminders')
    .updateMany({ event_id: { $in: ids } } as never, { $set: { due_at: new Date(0) } });
  // The clock sleeps until the time that it knew, or until an event is changed.
  await world.call('PATCH', `${E}/${ids[0]}`, { tags: ['moved'] });
  await eventually('the reminder', () => mailsTo('petr@people.example').length > before);
  await idle();
  expect((await lastMailTo('petr@people.example')).subject).toContain('Kept');
  expect(mailsTo('petr@people.example')).toHaveLength(before + 1);
});
