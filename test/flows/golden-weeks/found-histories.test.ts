import { expect, test } from 'vitest';
import { type SimulatedSchool, simulateSchool } from './simulated-school.ts';

/** The shortest of the random histories that once left people without a true message, or with one too many. */

const DAY = { start_date: '2026-10-19', end_date: '2026-10-19', start_time: '18:00', end_time: '20:00' };

/** The triggers of the messages that a person read by e-mail, in their order. */
const mailsTo = ({ messages }: SimulatedSchool, user_id: string) =>
  messages.flatMap(({ channel, reader, trigger }) =>
    channel === 'email' && reader.includes(user_id) ? [trigger] : [],
  );

let reports = 0;

/** Reports a state of an event of another service, and lets three minutes pass. */
async function report({ ask, pass }: SimulatedSchool, event: object, people: readonly string[] = []): Promise<void> {
  reports += 1;
  const registrations = people.map((user_id) => ({ id: user_id, user_id, kind: 'attendee', status: 'confirmed' }));
  const title = { id: 'fair', version: reports, title: 'Fair', event_type: 'social', registration_type: 'optional' };
  const snapshot = { ...title, ...DAY, visibility: 'internal', ...event };
  const head = { id: `report-${reports}`, type: 'event.edited', occurred_at: '2026-09-07T06:00:00Z' };
  await ask('POST', '/api/v1/ingest', { items: [{ ...head, event: snapshot, registrations }] });
  await pass(180);
}

test('a reported event that is published again with the same date tells only those who heard otherwise', async () => {
  const school = await simulateSchool('2026-09-07 08:00', {}, [
    { name: 'Eva', roles: ['parent'] },
    { name: 'Olga', roles: ['staff'] },
  ]);
  await report(school, { status: 'published' }, ['olga']);
  await report(school, { status: 'draft' });
  await report(school, { status: 'published' });
  expect(mailsTo(school, 'eva')).toEqual(['event.published']);
  expect(mailsTo(school, 'olga')).toEqual([
    'registration.confirmed',
    'event.published',
    'event.unpublished',
    'event.published',
  ]);
  await report(school, { status: 'cancelled', cancellation_reason: 'Storm' });
  await report(school, { status: 'published' });
  expect(mailsTo(school, 'olga').slice(-2)).toEqual(['event.cancelled', 'event.published']);
  await school.end();
});

test('registered people outside of the audience hear that a reported event takes place after its postponement', async () => {
  const school = await simulateSchool('2026-09-07 08:00', {}, [{ name: 'Eva', roles: ['parent'] }]);
  const forStaff = { target_audience: ['staff'] };
  await report(school, { ...forStaff, status: 'published' }, ['eva']);
  const moved = { ...forStaff, start_date: '2026-10-20', end_date: '2026-10-20', postponed_to: '2026-10-20T16:00:00Z' };
  await report(school, { ...moved, status: 'postponed', postponement_reason: 'Rain' });
  await report(school, { ...moved, status: 'published' });
  expect(mailsTo(school, 'eva')).toEqual(['registration.confirmed', 'event.postponed', 'event.published']);
  await school.end();
});
