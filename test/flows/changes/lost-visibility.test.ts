import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { E } from '../../support/http/http-app.ts';
import { simulateSchool } from '../golden-weeks/simulated-school.ts';

const DAY = { start_date: '2026-10-19', end_date: '2026-10-19', start_time: '18:00', end_time: '20:00' };

test('announcements that an outage delays do not go to people who may no longer see the event', async () => {
  const school = await simulateSchool('2026-09-07 12:00', {}, [
    { name: 'Karl', roles: ['staff'] },
    { name: 'Eva', roles: ['staff'] },
  ]);
  school.setMail('down');
  for (const title of ['Trip', 'Play']) {
    const { body } = await school.ask('POST', E, { ...DAY, title, event_type: 'social', visibility: 'staff_only' });
    await school.ask('POST', `${E}/${body.id}/publish`);
    await school.pass(300);
  }
  const people = await school.rowsOf<Contact & { id: string }>('contacts');
  const karl = people.filter(({ user_id }) => user_id === 'karl');
  await school.stores.contacts.putMany(karl.map((one) => ({ ...one, roles: ['parent'] })));
  await school.pass(60);
  school.setMail('up');
  await school.pass(3_600);
  const mails = (await school.rowsOf<Delivery>('deliveries')).filter(({ channel }) => channel === 'email');
  expect(mails.map((row) => `${row.user_id} ${row.status} ${row.reason}`).sort()).toEqual([
    'eva sent undefined',
    'eva sent undefined',
    'karl skipped not_visible',
    'karl skipped not_visible',
  ]);
  await school.end();
});

test('an event for a class that is published again after the classes moved up is for the new class', async () => {
  const school = await simulateSchool('2027-06-07 12:00', {}, [
    { name: 'Eva', roles: ['student'], class_ids: ['3A'] },
    { name: 'Jan', roles: ['student'], class_ids: ['3A'] },
    { name: 'Ota', roles: ['student'], class_ids: ['2A'] },
  ]);
  const day = { ...DAY, start_date: '2027-09-20', end_date: '2027-09-20', registration_type: 'optional' };
  const of3A = { class_id: '3A', visibility: 'restricted', restricted_to: { class_ids: ['3A'] } };
  const { body } = await school.ask('POST', E, { ...day, ...of3A, title: 'Trip', event_type: 'social' });
  const event = `${E}/${body.id}`;
  await school.ask('POST', `${event}/publish`);
  await school.ask('POST', `${event}/registrations`, { kind: 'attendee', user_id: 'jan' });
  await school.until('2027-08-30 12:00');
  const people = await school.rowsOf<Contact & { id: string }>('contacts');
  const next: Record<string, string> = { '2A': '3A', '3A': '4A' };
  await school.stores.contacts.putMany(
    people.map((one) => ({ ...one, class_ids: one.class_ids.map((id) => next[id] ?? id) })),
  );
  school.messages.length = 0;
  await school.ask('POST', `${event}/unpublish`);
  await school.ask('POST', `${event}/publish`);
  await school.until('2027-09-01 12:00');
  await school.ask('POST', `${event}/cancel`, { reason: 'Storm' });
  await school.pass(60);
  const mails = school.messages.filter(({ channel }) => channel === 'email');
  expect(mails.map(({ owner, trigger }) => `${owner} ${trigger}`)).toEqual([
    'ota event.published',
    'jan event.cancelled',
  ]);
  await school.end();
});
