import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { skipWait, untilFactsProcessed, untilIdle } from '../../faults/harness/checks.ts';
import { E, openSchool, publishEvent } from '../../support/world.ts';

const world = await openSchool();

const idle = () => untilIdle(world);

/** A person of no other test. */
const newPerson = (): string => `person-${newId()}`;

const tokenOf = (user_id: string) => world.token({ ...world.scope, user_id, roles: ['student'] });

async function registered(id: string, user_id: string): Promise<string> {
  const contact = { email: `${user_id}@people.example` };
  const as = await tokenOf(user_id);
  const { status, body } = await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', contact }, { as });
  expect(status).toBe(201);
  return String(body.id);
}

const published = (more: object) => publishEvent(world, { registration_type: 'optional', timezone: 'UTC', ...more });

/** The subjects that a person got, oldest first, and the text of the last message. */
async function mailOf(user_id: string): Promise<{ subjects: string[]; text: string; raw: string }> {
  const raws = world.smtp.messages.filter(({ to }) => to.includes(`${user_id}@people.example`)).map(({ raw }) => raw);
  const mails = await Promise.all(raws.map((raw) => PostalMime.parse(raw)));
  const subjects = mails.map(({ subject = '' }) => subject.split(/[:,]/)[0] ?? '');
  return { subjects, text: mails.at(-1)?.text ?? '', raw: String(raws.at(-1) ?? '') };
}

const inboxOf = async (user_id: string): Promise<string[]> => {
  const { body } = await world.call('GET', '/api/v1/me/inbox', undefined, { as: await tokenOf(user_id) });
  return (body.data as unknown as { trigger: string }[]).map(({ trigger }) => trigger);
};

const whyOf = async (id: string, user_id: string) => {
  const { body } = await world.call('GET', `${E}/${id}/deliveries?user_id=${user_id}`);
  return body.why as unknown as { trigger: string; channel: string | null; reason: string | null; text: string }[];
};

test('a person is notified that a registration waits, was declined, was approved or was cancelled by staff', async () => {
  const id = await published({ requires_approval: true });
  const [anna, petr] = [newPerson(), newPerson()];
  const [ofAnna, ofPetr] = [await registered(id, anna), await registered(id, petr)];
  await idle();
  expect((await mailOf(anna)).subjects).toEqual(['Registration received']);
  const of = (rid: string, action: string) => `${E}/${id}/registrations/${rid}/${action}`;
  expect((await world.call('POST', of(ofAnna, 'decline'), { reason: 'The bus is full' })).status).toBe(200);
  expect((await world.call('POST', of(ofPetr, 'confirm'))).status).toBe(200);
  await idle();
  const declined = await mailOf(anna);
  expect(declined.subjects).toEqual(['Registration received', 'Registration not approved']);
  expect(declined.text).toContain('Reason: The bus is full');
  expect((await mailOf(petr)).subjects).toEqual(['Registration received', 'Registration confirmed']);
  expect((await world.call('POST', of(ofPetr, 'cancel'), { reason: 'Class 5A is on a trip' })).status).toBe(200);
  await idle();
  const cancelled = await mailOf(petr);
  expect(cancelled.subjects.at(-1)).toBe('Registration cancelled');
  expect(cancelled.text).toContain('Reason: Class 5A is on a trip');
  expect(cancelled.raw).toContain('method=CANCEL');
  expect(await inboxOf(petr)).toEqual(['registration.cancelled', 'registration.confirmed', 'registration.pending']);
});

test('a person is sent their position on the waitlist, and nothing about a registration that they cancel', async () => {
  const id = await published({ max_attendees: 1, waitlist_enabled: true });
  const person = newPerson();
  for (const other of [newPerson(), newPerson()]) await registered(id, other);
  const third = await registered(id, person);
  await idle();
  const { subjects, text } = await mailOf(person);
  expect(subjects).toEqual(['On the waitlist']);
  expect(text.replace(/\s+/g, ' ')).toContain('on the waitlist at position 2.');
  const as = await tokenOf(person);
  expect((await world.call('POST', `${E}/${id}/registrations/${third}/cancel`, {}, { as })).status).toBe(200);
  await idle();
  expect((await mailOf(person)).subjects).toHaveLength(1);
});

test('people who hold a place are notified that the event is being revised, still see it, and are notified when it is published again', async () => {
  const id = await published({ registration_type: 'optional' });
  const eva = newPerson();
  await registered(id, eva);
  await idle();
  const republish = async () => expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
  const skipTwoMinutes = () => skipWait(world, { event_id: id, trigger: 'event.unpublished' });
  const factsProcessed = () => untilFactsProcessed(world);

  expect((await world.call('POST', `${E}/${id}/unpublish`)).status).toBe(200);
  await factsProcessed();
  await republish();
  await skipTwoMinutes();
  await idle();
  expect((await mailOf(eva)).subjects).toEqual(['Registration confirmed']);

  expect((await world.call('POST', `${E}/${id}/unpublish`)).status).toBe(200);
  await factsProcessed();
  await skipTwoMinutes();
  await idle();
  expect((await mailOf(eva)).subjects.at(-1)).toBe('Being revised');
  const as = await tokenOf(eva);
  const seen = await world.call('GET', `${E}/${id}`, undefined, { as });
  expect(seen).toMatchObject({ status: 200, body: { status: 'draft', being_revised: true } });
  await republish();
  await idle();
  expect((await mailOf(eva)).subjects).toEqual(['Registration confirmed', 'Being revised', 'Autumn concert']);
});

test('a school that turns a message off reads so in the explanation', async () => {
  const school = { name: 'School on the Hill', timezone: 'UTC', locale: 'en' };
  const put = (channels: object) => world.call('PUT', '/api/v1/operations/school', { ...school, channels });
  expect((await put({ 'registration.pending': [], 'registration.cancelled': [] })).status).toBe(200);
  const id = await published({ requires_approval: true });
  const ida = newPerson();
  const rid = await registered(id, ida);
  await idle();
  expect((await mailOf(ida)).subjects).toEqual([]);
  expect(await whyOf(id, ida)).toContainEqual(
    expect.objectContaining({ trigger: 'registration.pending', channel: null, reason: 'no_channel' }),
  );
  await world.call('POST', `${E}/${id}/registrations/${rid}/cancel`, { reason: 'Twice' });
  await idle();
  expect((await mailOf(ida)).subjects).toEqual(['Registration cancelled']);
  await put({});
});
