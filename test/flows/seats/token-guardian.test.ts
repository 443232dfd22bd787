import { expect, it } from 'vitest';
import { untilIdle } from '../../faults/harness/checks.ts';
import { contactOf, E, openSchool, publishEvent, putPeople } from '../../support/world.ts';

it('tells a guardian whom only the token names of the registrations that they made for a child', async () => {
  const world = await openSchool();
  await putPeople(world, [
    contactOf(1, { user_id: 'adam', name: 'Adam Novák', email: null }),
    contactOf(2, { user_id: 'dana', name: 'Dana Nováková', email: 'dana@people.example', roles: ['parent'] }),
    contactOf(3, { user_id: 'petr', name: 'Petr Malý', roles: ['parent'] }),
  ]);
  const parent = (user_id: string, ...children: string[]) =>
    world.token({ ...world.scope, user_id, roles: ['parent'], children });
  const [dana, stranger, petr] = await Promise.all([parent('dana', 'adam'), parent('olga', 'ota'), parent('petr')]);
  const id = await publishEvent(world, {
    registration_type: 'optional',
    target_audience: ['staff'],
    max_attendees: 1,
    waitlist_enabled: true,
  });
  const sign = async (user_id: string, as: string): Promise<string> => {
    const { body } = await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id }, { as });
    return String(body.id);
  };
  const first = await sign('petr', petr);
  await sign('adam', dana);
  await sign('ota', stranger);
  await untilIdle(world);
  await world.call('POST', `${E}/${id}/registrations/${first}/cancel`, undefined, { as: petr });
  await untilIdle(world);
  await world.call('POST', `${E}/${id}/cancel`, { reason: 'Storm' });
  await untilIdle(world);

  const inboxOf = async (as: string): Promise<string[]> => {
    const { body } = await world.call('GET', '/api/v1/me/inbox', undefined, { as });
    return (body.data as unknown as { trigger: string }[]).map(({ trigger }) => trigger).reverse();
  };
  expect(await inboxOf(dana)).toEqual(['registration.waitlisted', 'registration.confirmed', 'event.cancelled']);
  expect(await inboxOf(stranger)).toEqual(['registration.waitlisted', 'event.cancelled']);
  const mails = world.accepted().filter(({ recipient }) => recipient === 'dana@people.example');
  expect(mails.map(({ trigger }) => trigger)).toEqual([
    'registration.waitlisted',
    'registration.confirmed',
    'event.cancelled',
  ]);
});
