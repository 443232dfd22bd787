import { describe, expect, it } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { instantsOf } from '../../../src/events/rules/schedule.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { aContact, aSchool } from '../../support/builders.ts';
import { type Answer, E, PARENT, provideHttp, valuesOf } from '../../support/http/http-app.ts';
import { eventsIn } from '../../support/read-ics.ts';

const { ask, given, tables, deps } = await provideHttp();

const titles = (answer: Answer) => valuesOf(answer, 'title');

describe('without a token', () => {
  const S = '/api/v1/public/schools/s1';

  it('shows public announced events and nothing about people', async () => {
    const shown = await given({
      title: 'fair',
      restricted_to: { user_ids: ['secret'] },
      location: { name: 'Hall', virtualLink: 'https://meet.test/x' },
    });
    await given({ title: 'inside', visibility: 'internal' });
    const planned = await given({ title: 'planned', status: 'scheduled' });
    const list = await ask(null, 'GET', `${S}/events`);
    expect(titles(list)).toEqual(['fair']);
    expect(list.headers['cache-control']).toBe('public, max-age=60');
    const detail = await ask(null, 'GET', `${S}/events/${shown.id}`);
    expect(detail.body).toMatchObject({ id: shown.id, location: { name: 'Hall' } });
    for (const word of ['organizer', 'tenant', 'secret', 'meet.test', 'created_by', 'attendees":']) {
      expect(list.text + detail.text).not.toMatch(new RegExp(word.replace('attendees":', 'current_attendees')));
    }
    const known = { headers: { 'if-none-match': detail.headers.etag ?? '' } };
    expect((await ask(null, 'GET', `${S}/events/${shown.id}`, known)).status).toBe(304);
    expect((await ask(null, 'GET', `${S}/events/${planned.id}`)).status).toBe(404);
    expect((await ask(null, 'GET', `${S}/events?q=fair&event_type=exam`)).body.data).toEqual([]);
    for (const query of ['organizer_id=organizer', 'visibility=public', 'quick=my_events'])
      expect((await ask(null, 'GET', `${S}/events?${query}`)).status, query).toBe(422);
  });

  it('answers 404 for a school that no tenant or two tenants have', async () => {
    expect((await ask(null, 'GET', '/api/v1/public/schools/none/events')).status).toBe(404);
    const { id } = await given();
    await given({ tenant_id: 't2' });
    for (const path of ['/events', `/events/${id}`, '/calendar.ics', '/events.rss'])
      expect((await ask(null, 'GET', S + path)).status).toBe(404);
  });

  it('follows the next events as RSS in the language of the school, and any website may read them', async () => {
    await tables.schools.put(aSchool({ name: 'Lipová <2>', locale: 'cs' }));
    const dates = { start_date: '2026-10-16', end_date: '2026-10-16', timezone: 'Europe/Prague' };
    const day = { ...dates, start_time: '18:00', end_time: '19:30' };
    const fair = { ...day, title: 'Fair', translations: { cs: { title: 'Jarmark & trh', description: '' } } };
    const { id } = await given({ ...fair, location_name: 'Hall', published_at: new Date('2026-09-02T08:00:00Z') });
    await given({ ...day, title: 'Match', status: 'cancelled', location: { name: 'Gym' }, timezone: 'Asia/Kolkata' });
    await given({ ...day, title: 'Past', start_date: '2026-08-31', end_date: '2026-08-31' });
    await given({ ...day, title: 'Staff', visibility: 'staff_only' });
    await given({ ...day, title: 'Play', status: 'postponed', postponed_to: null });
    const { text, headers } = await ask(null, 'GET', `${S}/events.rss`);
    expect(headers['content-type']).toBe('application/rss+xml; charset=utf-8');
    expect(headers['access-control-allow-origin']).toBe('*');
    const all = (name: string) =>
      [...text.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, one]) => one);
    expect(all('title')).toEqual(['Lipová &lt;2&gt;', 'Jarmark &amp; trh', 'Zrušeno: Match', 'Odloženo: Play']);
    expect(all('link')[1]).toBe(`https://school.test/public/s1?event=${id}`);
    expect(all('pubDate')[0]).toBe('Wed, 02 Sep 2026 08:00:00 GMT');
    expect(all('description')[1]).toBe('pátek 16. října 2026, 18:00–19:30&lt;br&gt;\nHall');
    expect(all('description')[2]).toMatch(/18:00–19:30, indický čas&lt;br&gt;\nGym$/);
    expect(all('description')[3]).toBe('Nový termín zatím neznáme.');
    expect((await ask(null, 'GET', `/api/v1/public/schools/none/events.rss`)).headers).toMatchObject({
      'access-control-allow-origin': '*',
    });
    expect((await ask(PARENT, 'GET', E)).headers['access-control-allow-origin']).toBeUndefined();
  });

  it('answers a reader of the RSS feed with 304 while no event has changed', async () => {
    await given({ title: 'fair' });
    const { headers } = await ask(null, 'GET', `${S}/events.rss`);
    const again = { headers: { 'if-none-match': headers.etag ?? '' } };
    expect(await ask(null, 'GET', `${S}/events.rss`, again)).toMatchObject({ status: 304, text: '' });
    await given({ title: 'more' });
    expect((await ask(null, 'GET', `${S}/events.rss`, again)).status).toBe(200);
  });

  it('leaves characters that XML can’t contain out of the RSS feed, since readers would refuse all of it', async () => {
    await given({ title: 'Fa\uffffir', description: 'Bring\ufffe a cake', location_name: 'Ha\uffffll' });
    const { text } = await ask(null, 'GET', `${S}/events.rss`);
    expect(text).toContain('<title>Fair</title>');
    expect(text).toContain('Hall&lt;br&gt;\nBring a cake');
  });

  it('lists what takes place in the weeks of a month, also what began long before', async () => {
    await tables.schools.put(aSchool());
    const from = (title: string, start_date: string, end_date: string, more: Partial<SchoolEvent> = {}) => {
      const schedule = {
        start_date,
        end_date,
        start_time: null,
        end_time: null,
        timezone: 'Europe/Prague',
        all_day: true,
      };
      return given({ title, ...schedule, ...instantsOf(schedule), ...more });
    };
    await from('whole year', '2026-09-01', '2027-06-30');
    await from('last days of winter', '2026-12-20', '2027-03-01');
    await from('first week', '2027-03-31', '2027-03-31');
    await from('last week', '2027-05-02', '2027-05-02');
    await from('too late', '2027-05-03', '2027-05-03');
    await from('inside', '2026-09-01', '2027-06-30', { visibility: 'internal' });
    const found = ['whole year', 'first week', 'last week'];
    expect(titles(await ask(null, 'GET', `${S}/events?month=2027-04-15`))).toEqual(found);
    const first = await ask(null, 'GET', `${S}/events?month=2027-04-01&limit=2`);
    const second = await ask(null, 'GET', `${S}/events?month=2027-04-01&limit=2&cursor=${first.body.next_cursor}`);
    expect([...titles(first), ...titles(second)]).toEqual(found);
  });

  it('marks the titles of events that are off in the calendar, because Outlook and FullCalendar show no STATUS', async () => {
    await tables.schools.put(aSchool({ locale: 'cs' }));
    await given({ title: 'Match', status: 'cancelled' });
    await given({ title: 'Play', status: 'postponed', postponed_to: null });
    await given({ title: 'Trip', status: 'postponed', postponed_to: new Date('2026-10-16T16:00:00Z') });
    const titlesIn = async (language: string) => {
      const { text } = await ask(null, 'GET', `${S}/calendar.ics`, { headers: { 'accept-language': language } });
      return eventsIn(text).map(({ summary }) => summary);
    };
    expect(await titlesIn('*')).toEqual(['Zrušeno: Match', 'Odloženo: Play', 'Trip']);
    expect(await titlesIn('en')).toEqual(['Cancelled: Match', 'Postponed: Play', 'Trip']);
  });

  it('serves the calendar of a school, and answers 304 while it is unchanged', async () => {
    await given({ title: 'fair' });
    const { id } = await given({ title: 'play', status: 'postponed', postponed_to: null });
    await given({ title: 'inside', visibility: 'internal' });
    const answer = await ask(null, 'GET', `${S}/calendar.ics`);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'last-modified': 'Tue, 01 Sep 2026 08:00:00 GMT',
    });
    const stated = (name: string) =>
      eventsIn(answer.text).map(({ component }) => component.getFirstPropertyValue(name));
    expect(stated('summary')).toEqual(['fair', 'Postponed: play']);
    // The old date of an event whose new one is not known yet.
    expect([stated('status'), stated('transp')]).toEqual([
      ['CONFIRMED', 'CANCELLED'],
      ['OPAQUE', 'TRANSPARENT'],
    ]);
    // A page that needs no sign-in.
    expect(stated('url')[1]).toBe(`https://school.test/public/s1?event=${id}`);
    const again = { headers: { 'if-none-match': answer.headers.etag ?? '' } };
    expect(await ask(null, 'GET', `${S}/calendar.ics`, again)).toMatchObject({ status: 304, text: '' });
    await given({ title: 'more' });
    expect((await ask(null, 'GET', `${S}/calendar.ics`, again)).status).toBe(200);
  });
});

describe('my own calendar', () => {
  const F = '/api/v1/me/feed';
  const summaries = ({ text }: Answer) => eventsIn(text).map(({ summary }) => summary);

  it('is served at a secret address until the address is revoked or replaced', async () => {
    await given({ title: 'parents', visibility: 'parents_only' });
    await given({ title: 'staff', visibility: 'staff_only' });
    await given({ title: 'my draft', status: 'draft', organizer_id: 'eva' });
    expect((await ask(PARENT, 'GET', F)).status).toBe(404);
    const key = { headers: { 'idempotency-key': 'k' } };
    const made = await ask(PARENT, 'POST', F, key);
    expect(made.status).toBe(201);
    const path = String(made.body.url).replace('https://school.test', '');
    expect(path).toMatch(/^\/feeds\/[\w-]{43}\.ics$/);
    expect(JSON.stringify([...(await tables.feeds()), ...(await tables.replies())])).not.toContain(path.slice(7, 50));
    expect(summaries(await ask(null, 'GET', path))).toEqual(['parents']);
    expect((await ask(PARENT, 'GET', F)).body).toEqual({ created_at: '2026-09-01T08:00:00.000Z' });
    const second = await ask(PARENT, 'POST', F, key);
    const other = String(second.body.url).replace('https://school.test', '');
    expect((await ask(null, 'GET', path)).status).toBe(404);
    expect((await ask(null, 'GET', other)).status).toBe(200);
    for (const _again of [1, 2]) expect((await ask(PARENT, 'DELETE', F)).status).toBe(204);
    expect((await ask(null, 'GET', other)).status).toBe(404);
    expect((await ask({ ...PARENT, permissions: [] }, 'POST', F)).status).toBe(403);
  });

  it('follows the directory: shows events of new classes, and ends for people who left', async () => {
    await given({ title: '5a', visibility: 'restricted', restricted_to: { class_ids: ['5a'] } });
    const put = (more: Partial<Contact> & { user_id: string }) => deps.contacts.putMany([aContact(more.user_id, more)]);
    const jan = { user_id: 'jan', class_ids: ['4a'], guardians: ['eva'] };
    await put(jan);
    await put({ user_id: 'eva', roles: ['parent'] });
    const feeds = await Promise.all(
      ['jan', 'eva'].map(async (user_id) => {
        const { body } = await ask({ user_id, roles: ['student'], permissions: ['events.view'] }, 'POST', F);
        return String(body.url).replace('https://school.test', '');
      }),
    );
    const read = () => Promise.all(feeds.map(async (path) => summaries(await ask(null, 'GET', path))));
    expect(await read()).toEqual([[], []]);
    await put({ ...jan, class_ids: ['5a'] });
    expect(await read()).toEqual([['5a'], ['5a']]);
    await tables.contacts.remove({ user_id: 'jan' });
    await put({ user_id: 'eva', roles: ['parent'], left_at: new Date() });
    for (const path of feeds) expect((await ask(null, 'GET', path)).status).toBe(404);
  });

  it('shows parents who are not in the directory the events of the classes of their children', async () => {
    const { id } = await given({ title: '5a', visibility: 'restricted', restricted_to: { class_ids: ['5a'] } });
    const put = (guardians: string[]) => deps.contacts.putMany([aContact('jan', { class_ids: ['5a'], guardians })]);
    await put(['eva']);
    const byToken = { ...PARENT, user_id: 'ivo', children: ['jan'] };
    const read = async (path: string) => summaries(await ask(null, 'GET', path));
    const paths: string[] = [];
    for (const parent of [PARENT, byToken]) {
      expect((await ask(parent, 'GET', `${E}/${id}`)).status).toBe(200);
      const path = String((await ask(parent, 'POST', F)).body.url).replace('https://school.test', '');
      expect(await read(path)).toEqual(['5a']);
      paths.push(path);
    }
    await put([]);
    expect(await Promise.all(paths.map(read))).toEqual([[], ['5a']]);
  });
});

it('serves one event as a calendar file', async () => {
  const { id } = await given({ timezone: 'Europe/Prague' });
  const answer = await ask(PARENT, 'GET', `${E}/${id}/event.ics`);
  expect(eventsIn(answer.text).map(({ uid }) => uid)).toEqual([`${id}@schoolbell`]);
  const known = { headers: { 'if-none-match': answer.headers.etag ?? '' } };
  expect((await ask(PARENT, 'GET', `${E}/${id}/event.ics`, known)).status).toBe(304);
  expect((await ask(PARENT, 'GET', `${E}/nothing/event.ics`)).status).toBe(404);
});

it('says in the title of the file of a cancelled event that it is off', async () => {
  const { id } = await given({ status: 'cancelled', title: 'Match' });
  const czech = { headers: { 'accept-language': 'cs' } };
  const titles = [{}, czech].map(async (more) => {
    const { text } = await ask(PARENT, 'GET', `${E}/${id}/event.ics`, more);
    return eventsIn(text).map(({ summary }) => summary);
  });
  expect(await Promise.all(titles)).toEqual([['Cancelled: Match'], ['Zrušeno: Match']]);
});
