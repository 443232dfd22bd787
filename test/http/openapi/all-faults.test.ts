import { describe, expect, test } from 'vitest';
import { E, pointersOf, provideHttp, STAFF } from '../../support/http/http-app.ts';

const { ask, given, tables } = await provideHttp();

const CONCERT = { title: 'Concert', event_type: 'cultural', start_date: '2026-10-16', end_date: '2026-10-16' };

// One answer has the faults of the schema and those of the rules between fields.
describe('a body with faults of every kind', () => {
  test.each<[string, object, string[]]>([
    [
      'unknown, wrong type, control character, zone, end before start, and what a ticket needs',
      {
        ...CONCERT,
        end_date: '2026-10-15',
        bogus: 1,
        is_featured: 'yes',
        tags: ['a\u0007'],
        timezone: 'Mars/Phobos',
        registration_type: 'ticketed',
      },
      [
        '/bogus',
        '/cost',
        '/currency',
        '/end_date',
        '/is_featured',
        '/max_attendees',
        '/registration_deadline',
        '/tags/0',
        '/timezone',
      ],
    ],
    ['a date that does not exist says nothing of the end', { ...CONCERT, start_date: '2026-02-30' }, ['/start_date']],
    [
      'a type of registration that does not exist needs nothing',
      { ...CONCERT, registration_type: 'paid', end_time: '08:00', start_time: '09:00' },
      ['/end_time', '/registration_type'],
    ],
    [
      'what must be there and is not',
      { recurrence_pattern: 'none', is_recurring: true, title: '' },
      ['/end_date', '/event_type', '/is_recurring', '/start_date', '/title'],
    ],
    [
      'a deadline after the start, and a waitlist without a capacity',
      {
        ...CONCERT,
        title: '',
        registration_type: 'optional',
        registration_deadline: '2026-10-20T10:00:00Z',
        waitlist_enabled: true,
      },
      ['/max_attendees', '/registration_deadline', '/title'],
    ],
    [
      'a type that does not exist says nothing of the meetings to choose',
      { ...CONCERT, event_type: 'parents', slots: { length_minutes: 10, hosts: [{ user_id: 'a', name: 'A' }] } },
      ['/event_type'],
    ],
    [
      'an amount that is none is one fault',
      {
        ...CONCERT,
        registration_type: 'ticketed',
        cost: 'x',
        currency: 'EUR',
        max_attendees: 5,
        registration_deadline: '2026-10-01T10:00:00Z',
      },
      ['/cost'],
    ],
  ])('reports all faults of a new event: %s', async (_, payload, expected) => {
    const before = (await tables.events()).length;
    expect(pointersOf(await ask(STAFF, 'POST', E, { payload })).sort()).toEqual(expected);
    expect(await tables.events()).toHaveLength(before);
  });

  test('names the rule of each fault with a code that does not depend on the message', async () => {
    const payload = {
      ...CONCERT,
      title: ' ',
      currency: 'Kč',
      banner_url: 'x',
      end_date: '2026-10-15',
      tags: ['x'.repeat(999)],
    };
    const { errors } = (await ask(STAFF, 'POST', E, { payload: { ...payload, event_type: undefined } })).body;
    const rules = errors.map(({ pointer, rule }: { pointer: string; rule: string }) => [pointer, rule]).sort();
    expect(rules).toEqual([
      ['/banner_url', 'uri'],
      ['/currency', 'currency'],
      ['/end_date', 'not_before_start'],
      ['/event_type', 'required'],
      ['/tags/0', 'maxLength'],
      ['/title', 'line'],
    ]);
  });

  test('reports all faults of an edit, together with the stored fields', async () => {
    const { id } = await given({ status: 'draft', start_date: '2026-10-16', end_date: '2026-10-16' });
    const payload = { bogus: 1, timezone: 'Mars/Phobos', end_date: '2026-10-01', registration_type: 'required' };
    expect(pointersOf(await ask(STAFF, 'PATCH', `${E}/${id}`, { payload })).sort()).toEqual([
      '/bogus',
      '/end_date',
      '/max_attendees',
      '/registration_deadline',
      '/timezone',
    ]);
  });

  test('answers 404 instead of faults for an invisible event', async () => {
    expect((await ask(STAFF, 'PATCH', `${E}/nowhere`, { payload: { bogus: 1 } })).status).toBe(404);
  });
});
