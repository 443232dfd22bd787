import { expect, test } from 'vitest';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { E } from '../../support/http/http-app.ts';
import { changePerson } from '../golden-weeks/history-steps.ts';
import { type SimulatedSchool, simulateSchool } from '../golden-weeks/simulated-school.ts';

const DAY = { start_date: '2026-10-19', end_date: '2026-10-19', start_time: '18:00', end_time: '20:00' };
const EVENT = { ...DAY, title: 'Trip', event_type: 'social', registration_type: 'optional' };

/** A school at noon, with one child and both parents. */
const schoolAtNoon = () =>
  simulateSchool('2026-09-07 12:00', { quiet_hours: { from: '21:00', to: '06:30' } }, [
    { name: 'Eva', roles: ['parent'] },
    { name: 'Karl', roles: ['parent'] },
    { name: 'Jana', roles: ['student'], email: null, class_ids: ['5A'], guardians: ['eva', 'karl'] },
  ]);

/** Creates and publishes an event. @returns its path */
async function publish({ ask }: SimulatedSchool, fields: object = {}): Promise<string> {
  const { body } = await ask('POST', E, { ...EVENT, ...fields });
  expect((await ask('POST', `${E}/${body.id}/publish`)).status).toBe(200);
  return `${E}/${body.id}`;
}

/** From now on the directory names only Eva as guardian. */
const removeKarl = (school: SimulatedSchool) => changePerson(school, { who: 'jana', guardians: ['eva'] });

/** The recipients of a trigger’s messages, with the channel of each. */
const sent = ({ messages }: SimulatedSchool, trigger: string) =>
  messages.filter((one) => one.trigger === trigger).map(({ owner, channel }) => `${owner} by ${channel}`);
/** Why the messages of a trigger to Karl were not sent. */
const reasons = async ({ rowsOf }: SimulatedSchool, trigger: string) =>
  (await rowsOf<Delivery>('deliveries'))
    .filter((row) => row.trigger === trigger && row.user_id === 'karl')
    .map(({ channel, reason }) => `${channel} ${reason}`);

test('a notice about a child that waits for the morning does not go to a former guardian', async () => {
  const school = await schoolAtNoon();
  const event = await publish(school, { target_audience: ['staff'] });
  await school.ask('POST', `${event}/registrations`, { kind: 'attendee', user_id: 'jana' });
  await school.until('2026-09-07 22:00');
  await school.ask('PATCH', event, { start_time: '17:00' });
  await school.until('2026-09-08 00:00');
  await removeKarl(school);
  await school.until('2026-09-08 12:00');
  expect(sent(school, 'event.changed')).toEqual(['jana by in_app', 'eva by email']);
  expect(await reasons(school, 'event.changed')).toEqual(['email not_guardian']);
  await school.end();
});

test('a notice that waits for the morning leaves an address that now belongs to a former guardian alone', async () => {
  const school = await schoolAtNoon();
  const event = await publish(school, { target_audience: ['staff'] });
  await school.ask('POST', `${event}/registrations`, { kind: 'attendee', user_id: 'jana' });
  await school.until('2026-09-07 22:00');
  await changePerson(school, { who: 'eva', email: 'karl@people.example' });
  await school.ask('PATCH', event, { start_time: '17:00' });
  await school.until('2026-09-08 00:00');
  await removeKarl(school);
  await changePerson(school, { who: 'eva', email: 'eva@people.example' });
  await school.until('2026-09-08 12:00');
  const changed = school.messages.filter(({ trigger, channel }) => trigger === 'event.changed' && channel === 'email');
  expect(changed.map(({ row, names }) => [row.address, names])).toEqual([['eva@people.example', 'Jana']]);
  await school.end();
});

test('an announcement for a class that waits for the morning does not go to a former guardian', async () => {
  const school = await schoolAtNoon();
  await school.until('2026-09-07 22:00');
  await publish(school, { visibility: 'restricted', restricted_to: { class_ids: ['5A'] } });
  await school.until('2026-09-08 00:00');
  await removeKarl(school);
  await school.until('2026-09-08 12:00');
  expect(sent(school, 'event.published').filter((to) => to.startsWith('eva'))).toContain('eva by email');
  expect((await reasons(school, 'event.published')).sort()).toContain('email not_visible');
  expect(sent(school, 'event.published').filter((to) => to.startsWith('karl by email'))).toEqual([]);
  await school.end();
});

test('a reminder to confirm for which staff chose a later time does not go to a former guardian', async () => {
  const school = await schoolAtNoon();
  const event = await publish(school, { asks_acknowledgement: true });
  await school.pass(60);
  await school.ask('POST', `${event}/acknowledgements/remind`, { after_hours: 3, channels: ['email', 'in_app'] });
  await school.pass(60);
  await removeKarl(school);
  await school.until('2026-09-07 20:00');
  expect(sent(school, 'acknowledgement.due')).toContain('eva by email');
  expect(sent(school, 'acknowledgement.due').filter((to) => to.startsWith('karl'))).toEqual([]);
  await school.end();
});
