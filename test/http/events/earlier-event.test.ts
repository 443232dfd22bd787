import { expect, it } from 'vitest';
import { E, EVERYTHING, provideHttp } from '../../support/http/http-app.ts';

const { ask, given, stores } = await provideHttp();

/** Fields of every kind that an event may lack because they are newer than it. */
const NEWER = [
  'translations',
  'tags',
  'attachments',
  'registration_questions',
  'asks_acknowledgement',
  'slots',
  'reminders',
];

const LACKING = { $unset: Object.fromEntries(NEWER.map((name) => [name, ''])) };

it('an event that lacks fields because they are newer than it works as if it had their defaults', async () => {
  const { id, school_id } = await given({ visibility: 'public' });
  const read = async () => (await ask(EVERYTHING, 'GET', `${E}/${id}`)).body;
  const whole = await read();
  await stores.database.collection('events').updateOne({ _id: id }, LACKING);
  expect(await read()).toEqual(whole);
  const visitors = `/api/v1/public/schools/${school_id}`;
  const requests = [
    ['GET', `${visitors}/events/${id}`],
    ['GET', `${visitors}/calendar.ics`],
    ['POST', `${E}/${id}/duplicate`],
    ['PATCH', `${E}/${id}`, { title: 'New title' }],
    ['POST', `${E}/${id}/cancel`, { reason: 'Storm' }],
  ] as const;
  const statuses: number[] = [];
  for (const [method, url, payload = {}] of requests)
    statuses.push((await ask(EVERYTHING, method, url, method === 'GET' ? {} : { payload })).status);
  expect(statuses).toEqual([200, 200, 201, 200, 200]);
});

it('a template of events that lacks fields because they are newer than it makes events with their defaults', async () => {
  const { id } = await given();
  const template = (await ask(EVERYTHING, 'POST', `${E}/${id}/template`, { payload: { name: 'Concert' } })).body;
  await stores.database.collection('event_templates').updateOne({ _id: template.id }, LACKING);
  const url = `/api/v1/operations/event-templates/${template.id}/events`;
  const made = await ask(EVERYTHING, 'POST', url, { payload: { start_date: '2026-11-16' } });
  expect(made).toMatchObject({ status: 201, body: { tags: [], slots: null, asks_acknowledgement: false } });
});
