import { expect, it } from 'vitest';
import { aContact } from '../../support/builders.ts';
import { E, PARENT, pointersOf, provideHttp, STAFF } from '../../support/http/http-app.ts';
import { eventsIn } from '../../support/read-ics.ts';

const { ask, given, tables } = await provideHttp();

const CZECH = { title: 'Podzimní koncert', description: 'Hudba a punč.' };
const NEW = {
  title: 'Autumn concert',
  event_type: 'cultural',
  start_date: '2026-10-16',
  end_date: '2026-10-16',
  description: 'Music and punch.',
};
const inCzech = { headers: { 'accept-language': 'cs-CZ,cs;q=0.9,en;q=0.8' } };
const inGerman = { headers: { 'accept-language': 'de' } };

it('are stored, merged into and removed by an edit, and found by search', async () => {
  const made = await ask(STAFF, 'POST', E, { payload: { ...NEW, translations: { cs: CZECH } } });
  expect(made).toMatchObject({ status: 201, body: { title: 'Autumn concert', translations: { cs: CZECH } } });
  const url = `${E}/${made.body.id}`;
  const edit = async (translations: object | null) =>
    (await ask(STAFF, 'PATCH', url, { payload: { translations } })).body.translations;
  expect(await edit({ cs: { title: 'Koncert' } })).toEqual({ cs: { ...CZECH, title: 'Koncert' } });
  const list = await ask(STAFF, 'GET', `${E}?q=koncert&fields=translations&fields=title`);
  const translations = { cs: { ...CZECH, title: 'Koncert' } };
  expect(list.body.data).toEqual([{ id: made.body.id, title: 'Autumn concert', translations }]);
  expect(await edit({ cs: { description: null }, en: { title: 'The concert' } })).toEqual({
    cs: { title: 'Koncert' },
    en: { title: 'The concert' },
  });
  expect(await edit(null)).toBeNull();
});

it('in a language that the service does not know, and without a title, are refused', async () => {
  const faults = async (translations: unknown) => {
    const answer = await ask(STAFF, 'POST', E, { payload: { ...NEW, translations } });
    return [answer.status, pointersOf(answer)];
  };
  expect(await faults({ tlh: CZECH })).toEqual([422, ['/translations/tlh']]);
  expect(await faults({ cs: {} })).toEqual([422, ['/translations/cs/title']]);
  expect(await faults({ cs: { title: '\u202eKoncert' } })).toEqual([422, ['/translations/cs/title']]);
});

it('change all dates of a series, except those that have a translation of their own', async () => {
  const weekly = { is_recurring: true, recurrence_pattern: 'weekly', recurrence_count: 3 };
  const { body: first } = await ask(STAFF, 'POST', E, { payload: { ...NEW, ...weekly } });
  const dates = (await ask(STAFF, 'GET', `${E}/${first.id}/occurrences`)).body.data;
  const edit = (id: string, title: string, scope = 'this') =>
    ask(STAFF, 'PATCH', `${E}/${id}?scope=${scope}`, { payload: { translations: { cs: { title } } } });
  await edit(dates[1].id, 'Host z Brna');
  await edit(first.id, 'Koncert', 'all');
  const after = await ask(STAFF, 'GET', `${E}/${first.id}/occurrences?fields=translations`);
  const titles = after.body.data.map((date: { translations: { cs: { title: string } } }) => date.translations.cs.title);
  expect(titles).toEqual(['Koncert', 'Host z Brna', 'Koncert']);
});

it('are what the calendar and its files show to readers of the language', async () => {
  const { id } = await given({ title: 'Autumn concert', visibility: 'public', translations: { cs: CZECH } });
  const entries = async (more: object) =>
    (await ask(PARENT, 'GET', `${E}/calendar?date=2026-10-16`, more)).body.entries.map(
      ({ title }: { title: string }) => title,
    );
  expect(await entries(inCzech)).toEqual([CZECH.title]);
  expect(await entries(inGerman)).toEqual(['Autumn concert']);
  for (const url of [`${E}/${id}/event.ics`, '/api/v1/public/schools/s1/calendar.ics']) {
    const file = await ask(PARENT, 'GET', url, inCzech);
    expect(eventsIn(file.text)).toMatchObject([{ summary: CZECH.title, description: CZECH.description }]);
    expect(file.headers.vary).toContain('accept-language');
    expect(eventsIn((await ask(PARENT, 'GET', url)).text)).toMatchObject([{ summary: 'Autumn concert' }]);
  }
  const listed = await ask(null, 'GET', '/api/v1/public/schools/s1/events');
  expect(listed.body.data).toMatchObject([{ title: 'Autumn concert', translations: { cs: CZECH } }]);
});

it('are what a person’s own calendar shows, in the language of their settings', async () => {
  await given({ title: 'Autumn concert', translations: { cs: CZECH } });
  await tables.contacts.put(aContact('eva', { roles: ['parent'], locale: 'en' }));
  const { body } = await ask(PARENT, 'POST', '/api/v1/me/feed');
  const titles = async () =>
    eventsIn((await ask(null, 'GET', new URL(body.url).pathname)).text).map(({ summary }) => summary);
  expect(await titles()).toEqual(['Autumn concert']);
  await ask(PARENT, 'PUT', '/api/v1/me/preferences', { payload: { locale: 'cs', opted_out: [], quiet_hours: null } });
  expect(await titles()).toEqual([CZECH.title]);
});
