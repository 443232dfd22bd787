import { expect, test } from 'vitest';
import { utcStamp } from '../../../src/core/zoned-time.ts';
import type { SchoolEvent } from '../../../src/events/event.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import type { Registration } from '../../../src/registrations/registration.ts';
import { E } from '../../support/http/http-app.ts';
import {
  checkHistories,
  FIRST_DAY,
  findSentTwice,
  type History,
  PEOPLE,
  PLAY,
  SERIES,
  simulateHistory,
  step,
} from './history-steps.ts';
import { findMisinformed } from './misinformed.ts';
import { type SimulatedSchool, simulateSchool } from './simulated-school.ts';

/** The people whose calendar shows an event wrongly: people without an address have that of their guardian. */
async function findWrongCalendars({ messages, rowsOf }: SimulatedSchool): Promise<string[]> {
  // An e-mail that an outage of more than a day has stopped updates no calendar.
  const lost = (await rowsOf<Delivery>('deliveries')).filter(({ reason }) => reason === 'tried_out');
  const registrations = await rowsOf<Registration>('registrations');
  const events = (await rowsOf<SchoolEvent>('events')).filter((event) => event.deleted_at === null);
  return events.flatMap((event) => {
    const own = registrations.filter(({ event_id }) => event_id === event.id);
    return PEOPLE.filter(({ email }) => email !== null).flatMap(({ name }) => {
      const user_id = name.toLowerCase();
      const family = [user_id, ...(user_id === 'karl' ? ['jana'] : [])];
      const statuses = own.filter((row) => family.includes(row.user_id)).map(({ status }) => status);
      // A file to add leaves the entry of a registered person as it is.
      const last = messages.findLast(
        ({ owner, method, starts }) => owner === user_id && method !== 'PUBLISH' && event.id in starts,
      );
      const comes = statuses.includes('confirmed');
      const isRight =
        event.status === 'published' && comes
          ? last?.method === 'REQUEST' && last.starts[event.id] === utcStamp(event.starts_at)
          : last?.method !== 'REQUEST' || (comes && event.status !== 'cancelled');
      return isRight || lost.some((row) => row.user_id === user_id)
        ? []
        : [
            `${name}’s calendar has ${last?.method} ${last?.starts[event.id]} of ${event.title}, which is ${event.status}: ${statuses}`,
          ];
    });
  });
}

/** The people whose e-mail cancels another date than the e-mail before named; a registration may just have named a newer one. */
async function findWronglyCancelled({ messages, rowsOf }: SimulatedSchool): Promise<string[]> {
  const mails = messages.filter(({ channel, trigger }) => channel === 'email' && !trigger.startsWith('registration.'));
  return (await rowsOf<SchoolEvent>('events')).flatMap(({ id, title }) =>
    PEOPLE.flatMap(({ name }) => {
      const about = mails.filter(({ reader, dates }) => reader.includes(name.toLowerCase()) && id in dates);
      const [known, last] = about.slice(-2).map(({ trigger, dates }) => ({ trigger, when: dates[id] }));
      const isWrong = last?.trigger === 'event.cancelled' && known?.when && known.when !== last.when;
      return isWrong ? [`${name} knows ${title} on ${known.when}, and reads that it is cancelled on ${last.when}`] : [];
    }),
  );
}

async function findFaults(history: History): Promise<string[]> {
  const school = await simulateHistory(history);
  try {
    const rows = await school.rowsOf<Delivery>('deliveries');
    const open = rows.filter(
      ({ status, reason }) => !['sent', 'skipped', 'waiting'].includes(status) && reason !== 'tried_out',
    );
    return [
      ...(await findMisinformed(school)),
      ...(await findWrongCalendars(school)),
      ...(await findWronglyCancelled(school)),
      ...open.map(({ trigger, status }) => `${trigger} is ${status}`),
      ...findSentTwice(school),
    ];
  } finally {
    await school.end();
  }
}

test('everyone knows what is true after any history of events and registrations', { timeout: 3_600_000 }, async () => {
  await checkHistories(step, findFaults);
});

test('people without a message are noticed', async () => {
  const school = await simulateSchool('2026-09-07 08:00', {}, PEOPLE);
  const { body } = await school.ask('POST', E, PLAY);
  for (const path of ['publish', 'registrations'])
    await school.ask('POST', `${E}/${body.id}/${path}`, { kind: 'attendee' });
  await school.pass(60);
  expect(await findMisinformed(school)).toEqual([]);
  expect(await findMisinformed({ ...school, messages: [] })).toHaveLength(1);
  await school.end();
});

test('a postponement and the new publication of the same night do not wait for each other', async () => {
  const school = await simulateSchool('2026-09-07 20:00', { quiet_hours: { from: '21:00', to: '06:30' } }, PEOPLE);
  const times = { start_date: FIRST_DAY, end_date: FIRST_DAY, start_time: '16:00', end_time: '20:00' };
  const type = { event_type: 'social', registration_type: 'none', visibility: 'internal', ...SERIES };
  const { body } = await school.ask('POST', E, { ...times, ...type, title: 'Play' });
  await school.ask('POST', `${E}/${body.id}/publish?scope=all`);
  await school.pass(2 * 3_600);
  await school.ask('POST', `${E}/${body.id}/postpone`, { reason: 'Rain', new_start_date: '2026-10-20' });
  await school.pass(5);
  await school.ask('POST', `${E}/${body.id}/publish?scope=all`);
  await school.pass(12 * 3_600);
  const rows = await school.rowsOf<Delivery>('deliveries');
  expect(rows.filter(({ status }) => status === 'waiting')).toEqual([]);
  expect(await findMisinformed(school)).toEqual([]);
  await school.end();
});
