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
