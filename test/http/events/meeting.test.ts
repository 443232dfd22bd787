import { describe, expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { aRegistration, at } from '../../support/builders.ts';
import { E, EVERYTHING, provideHttp, type Who } from '../../support/http/http-app.ts';
import { aFact } from '../../support/message-builders.ts';

const served = await provideHttp();

const LINK = 'https://meet.test/secret-room';
const VIEW = ['events.view'];
const READERS: Record<string, Who> = {
  external: { user_id: 'vera', roles: ['external'], permissions: VIEW },
  parent: { user_id: 'eva', roles: ['parent'], permissions: VIEW },
  clerk: { user_id: 'karl', roles: ['staff'], permissions: [...VIEW, 'events.registrations.manage'] },
  confirmed: { user_id: 'anna', roles: ['parent'], permissions: VIEW },
  'guardian of a confirmed child': { user_id: 'jan', roles: ['parent'], permissions: VIEW, children: ['anna'] },
  waitlisted: { user_id: 'petr', roles: ['parent'], permissions: VIEW },
  editor: { user_id: 'olga', roles: ['staff'], permissions: [...VIEW, 'events.update'] },
  organizer: { user_id: 'organizer', roles: ['staff'], permissions: VIEW },
};
const ENTITLED = ['confirmed', 'guardian of a confirmed child', 'editor', 'organizer'];

async function online(more: Partial<SchoolEvent>): Promise<string> {
  const location = { name: 'Online lesson', isVirtual: true, virtualLink: LINK };
  const starts_at = at('2026-10-16T18:00:00Z');
  const { id } = await served.given({ visibility: 'public', location, starts_at, ...more });
  const scope = { event_id: id };
  await served.tables.registrations.put(
    aRegistration({ id: 'r1', ...scope, user_id: 'anna', status: 'confirmed' }),
    aRegistration({ id: 'r2', ...scope, user_id: 'petr', status: 'waitlisted' }),
  );
  const place = { location_name: null, location };
  await served.tables.facts.put(aFact('event.changed', { previous_place: place }, { ...scope, id: 'f1' }));
  return id;
}

/** Everything an event is shown by, as text. */
async function shownTo(who: Who, id: string): Promise<Record<string, string>> {
  const read = async (url: string) => (await served.ask(who, 'GET', url)).text.replaceAll('\r\n ', '');
  const made = await served.ask(who, 'POST', '/api/v1/me/feed');
  const feed = String(made.body.url).replace('https://school.test', '');
  return {
    detail: await read(`${E}/${id}`),
    list: await read(E),
    calendar: await read(`${E}/calendar?date=2026-10-16`),
    groups: await read(`${E}/groups`),
    file: await read(`${E}/${id}/event.ics`),
    timeline: await read(`${E}/${id}/timeline`),
    feed: (await served.ask(null, 'GET', feed)).text.replaceAll('\r\n ', ''),
  };
}

const WITHOUT_LINK = ['calendar', 'groups'];

describe.each(['optional', 'required'] as const)(
  'the meeting link of a public event with registration %s',
  (registration_type) => {
    test.each(Object.entries(READERS))(
      'is shown to a reader who is %s only if it is for them, wherever they read',
      async (name, who) => {
        const id = await online({ registration_type });
        const isMember = name !== 'external';
        const isOpen = registration_type === 'optional';
        const entitled = ENTITLED.includes(name) || (isOpen && isMember);
        const shown = await shownTo(who, id);
        for (const [surface, text] of Object.entries(shown)) {
          // The address of a feed keeps no permission, and so does not know an editor.
          const isEditorsFeed = surface === 'feed' && name === 'editor' && !isOpen;
          const tells = entitled && !WITHOUT_LINK.includes(surface) && !isEditorsFeed;
          expect(text.includes(LINK), surface).toBe(tells);
        }
      },
    );

    test('is hidden without a token', async () => {
      const id = await online({ registration_type });
      for (const path of ['/events', `/events/${id}`, '/calendar.ics'])
        expect((await served.ask(null, 'GET', `/api/v1/public/schools/s1${path}`)).text).not.toContain(LINK);
    });
  },
);

test('a copy of an event, or of a template, hides the meeting link and the permitted people that the original hides', async () => {
  const teacher: Who = { user_id: 'anna', roles: ['staff'], permissions: [...VIEW, 'events.create'] };
  const asks = { registration_type: 'required', registration_deadline: at('2026-10-10T10:00:00Z'), max_attendees: 5 };
  const limits = { visibility: 'restricted', restricted_to: { user_ids: ['anna', 'eva'] } };
  const id = await online({ ...asks, ...limits } as Partial<SchoolEvent>);
  const make = async (who: Who, url: string, payload = {}) => (await served.ask(who, 'POST', url, { payload })).body;
  const { id: template_id } = await make(EVERYTHING, `${E}/${id}/template`, { name: 'Lesson' });
  const copy = await make(teacher, `${E}/${id}/duplicate`);
  const { event: preview } = await make(teacher, `${E}/${id}/duplicate?dry_run=true`);
  const made = await make(teacher, `/api/v1/operations/event-templates/${template_id}/events`, {
    start_date: '2026-12-01',
  });
  for (const one of [copy, preview, made]) {
    expect(one).toMatchObject({ organizer_id: 'anna', restricted_to: null });
    expect(one.location).toEqual({ name: 'Online lesson', isVirtual: false });
  }
  const whole = await make(EVERYTHING, `${E}/${id}/duplicate`);
  expect(whole).toMatchObject({ location: { virtualLink: LINK }, restricted_to: limits.restricted_to });
});

describe('the timeline', () => {
  const STAFF_ONLY = [
    'delivery.revealed',
    'delivery.redriven',
    'delivery.discarded',
    'event.edited',
    'message.requested',
    'reminder.due',
    'seats.freed',
  ] as const;

  test.each(['external', 'parent'])(
    'hides the entries for staff from a person who is %s, and shows full pages of the others',
    async (name) => {
      const { id } = await served.given();
      const facts = STAFF_ONLY.map((type, n) => aFact(type, {}, { id: `b${n}`, event_id: id }));
      await served.tables.facts.put(aFact('event.published', {}, { id: 'a', event_id: id }), ...facts);
      await served.tables.facts.put(aFact('event.cancelled', { reason: 'storm' }, { id: 'c', event_id: id }));
      const { body } = await served.ask(READERS[name] ?? null, 'GET', `${E}/${id}/timeline?limit=2`);
      expect(body.data.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
        ['event.cancelled', { reason: 'storm' }],
        ['event.published', {}],
      ]);
      expect(body.has_more).toBe(false);
      const all = await served.ask(READERS.organizer ?? null, 'GET', `${E}/${id}/timeline`);
      expect(all.body.data).toHaveLength(STAFF_ONLY.length + 2);
    },
  );
});
