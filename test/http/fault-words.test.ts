import { describe, expect, it } from 'vitest';
import { CANCEL } from '../../src/events/rules/transitions.ts';
import { NEW_EVENT } from '../../src/http/events/event-body-schema.ts';
import { FORMATS, PATTERNS } from '../../src/http/openapi/formats.ts';
import { PREFERENCES } from '../../src/http/people/people-schema.ts';
import { CHECK_IN } from '../../src/http/registrations/registration-schema.ts';
import { checkOf } from '../../src/http/validator.ts';
import { REGISTER, REGISTER_FAMILY } from '../../src/registrations/input.ts';
import { operationsOf, readDocument } from '../support/http/api-document.ts';
import { E, provideHttp, STAFF } from '../support/http/http-app.ts';

const { ask } = await provideHttp();
const event = { title: 'Concert', event_type: 'cultural', start_date: '2026-10-16', end_date: '2026-10-16' };

describe('a fault of the schema is in words for people', () => {
  it.each([
    ['/title must be text', NEW_EVENT, { ...event, title: 7 }],
    ['/description must be text or null', NEW_EVENT, { ...event, description: 7 }],
    ['/is_free must be true or false', NEW_EVENT, { ...event, is_free: 'yes' }],
    ['/tags must be a list', NEW_EVENT, { ...event, tags: 'music' }],
    ['/location must be an object or null', NEW_EVENT, { ...event, location: 'Aula' }],
    ['/max_attendees must be a whole number or null', NEW_EVENT, { ...event, max_attendees: 1.5 }],
    ['/max_attendees must be at least 1', NEW_EVENT, { ...event, max_attendees: 0 }],
    ['/max_attendees must be at most 1000000', NEW_EVENT, { ...event, max_attendees: 1e12 }],
    [/^\/event_type must be one of academic, /, NEW_EVENT, { ...event, event_type: 'ball' }],
    [/^\/event_type must be one of academic, /, NEW_EVENT, { ...event, event_type: 7 }],
    ['/reason must not be empty', CANCEL, { reason: '' }],
    [
      '/answers/0/value must be text, true or false',
      REGISTER,
      { kind: 'attendee', answers: [{ question_id: 'q', value: 7 }] },
    ],
    ['/code must be six digits', CHECK_IN, { code: '12' }],
    ['/people must not be empty', REGISTER_FAMILY, { people: [] }],
    ['/quiet_hours/to is required', PREFERENCES, { quiet_hours: { from: '22:00' } }],
    ['/quiet_hours must be an object, off or null', PREFERENCES, { quiet_hours: 'never' }],
    ['/quiet_hours must be an object, off or null', PREFERENCES, { quiet_hours: 7 }],
    ['/quiet_hours/to must be a time of day, written HH:MM', PREFERENCES, { quiet_hours: { from: '22:00', to: '7' } }],
  ])('%s', (words, schema, body) => {
    const found = checkOf(schema)(body).map(({ pointer, message }) => `${pointer} ${message}`);
    expect(found).toEqual([typeof words === 'string' ? words : expect.stringMatching(words)]);
  });

  it.each([
    ['limit=5&limit=6', '/query/limit must be sent only once'],
    ['sort=start_date&sort=-start_date', '/query/sort must be sent only once'],
    ['start_date_from=2026-10-01&start_date_from=2026-10-02', '/query/start_date_from must be sent only once'],
    ['limit=99999999999999999999', '/query/limit must be at most 100'],
    ['limit=x', '/query/limit must be a whole number'],
    ['status=draft,published', /^\/query\/status\/0 contains a comma; for several values repeat the parameter/],
    [Array.from({ length: 21 }, (_, i) => `tags=${i}`).join('&'), '/query/tags must not have more than 20 items'],
  ])('in a query: %s', async (query, words) => {
    const { body } = await ask(STAFF, 'GET', `${E}?${query}`);
    expect(body.detail).toEqual(typeof words === 'string' ? words : expect.stringMatching(words));
  });

  it('has words for every pattern of the API', async () => {
    const known = [...Object.values(FORMATS), ...Object.values(PATTERNS)].flatMap((one) =>
      'pattern' in one ? one.pattern : [],
    );
    const asked = operationsOf(await readDocument(ask)).map(({ parameters, requestBody }) => [parameters, requestBody]);
    const used = new Set<string>();
    JSON.stringify(asked, (name, value) => {
      if (name === 'pattern' && typeof value === 'string') used.add(value);
      return value;
    });
    expect(used.size).toBeGreaterThan(3);
    expect([...used].filter((pattern) => !known.includes(pattern as never))).toEqual([]);
  });
});
