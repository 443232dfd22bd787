import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { EVERYONE, loadNextRecipients } from '../../../src/notifications/fan-out/audience-cursor.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { aContact, at } from '../../support/builders.ts';
import { E, serve, valuesOf, type Who } from '../../support/http/http-app.ts';
import { aFact, anEntry, anOccasion } from '../../support/message-builders.ts';

/** Two classes with a child each, one child's parents, a class teacher; all as the directory knows them. */
const PEOPLE: Contact[] = [
  aContact('anna', { roles: ['student'], class_ids: ['5a'], grade_level_ids: ['g5'], guardians: ['eva', 'karl'] }),
  aContact('petr', { roles: ['student'], class_ids: ['6b'], grade_level_ids: ['g6'], guardians: ['eva'] }),
  aContact('olga', { roles: ['student'], class_ids: ['6b'], grade_level_ids: ['g6'], guardians: ['ivan'] }),
  aContact('eva', { roles: ['parent'] }),
  aContact('karl', { roles: ['parent'] }),
  aContact('ivan', { roles: ['parent'] }),
  aContact('tina', { roles: ['staff'], class_ids: ['5a'], department_ids: ['music'] }),
  aContact('jan', { roles: ['staff'] }),
  aContact('visitor', { roles: ['external'] }),
];

const EVENTS: [string, Partial<SchoolEvent>][] = [
  ['for all', { visibility: 'internal' }],
  ['public', { visibility: 'public' }],
  ['for staff', { visibility: 'staff_only' }],
  ['for parents', { visibility: 'parents_only' }],
  ['of a class', { visibility: 'internal', class_id: '5a' }],
  ['restricted to a class', { visibility: 'restricted', restricted_to: { class_ids: ['5a'] } }],
  [
    'restricted to parents of a class',
    { visibility: 'restricted', restricted_to: { class_ids: ['6b'], roles: ['parent'] } },
  ],
  ['restricted to a grade', { visibility: 'restricted', restricted_to: { grade_level_ids: ['g6'] } }],
  ['restricted to a department', { visibility: 'restricted', restricted_to: { department_ids: ['music'] } }],
  ['restricted to a child by name', { visibility: 'restricted', restricted_to: { user_ids: ['anna'] } }],
  ['restricted to no one', { visibility: 'restricted', restricted_to: {} }],
];

const served = await serve();
async function openSchool() {
  await served.clean();
  await served.tables.contacts.put(...PEOPLE);
}

async function notifiedPeople(event: SchoolEvent): Promise<string[]> {
  const occasion = anOccasion(aFact('event.published'), event);
  const { recipients } = await loadNextRecipients(served.deps, occasion, EVERYONE);
  return recipients.map(({ user_id }) => user_id);
}

/** Tokens that say what an identity provider often knows: who it is, the roles, sometimes the children. */
const TOKENS: [string, (person: Contact) => Who][] = [
  ['roles only', ({ user_id, roles }) => ({ user_id, roles })],
  [
    'the children’s ids too',
    ({ user_id, roles }) => ({
      user_id,
      roles,
      children: PEOPLE.filter(({ guardians }) => guardians.includes(user_id)).map((child) => child.user_id),
    }),
  ],
];

describe.each(TOKENS)('with a token that says %s', (_, tokenOf) => {
  const events = new Map<string, SchoolEvent>();
  /** The ids of the events of which each person sees a row in the list, and a message in the inbox. */
  const listed = new Map<string, unknown[]>();
  const received = new Map<string, unknown[]>();
  const whoIs = (person: Contact): Who => ({ ...tokenOf(person), permissions: ['events.view'] });

  beforeAll(async () => {
    await openSchool();
    for (const [name, more] of EVENTS) {
      const event = await served.given({ ...more, status: 'published', starts_at: at('2026-10-16T18:00:00Z') });
      events.set(name, event);
      const entryOf = ({ user_id }: Contact) => anEntry({ id: `${event.id} ${user_id}`, event_id: event.id, user_id });
      await served.tables.inbox.put(...PEOPLE.map(entryOf));
    }
    for (const person of PEOPLE) {
      listed.set(person.user_id, valuesOf(await served.ask(whoIs(person), 'GET', E), 'id'));
      const inbox = await served.ask(whoIs(person), 'GET', '/api/v1/me/inbox');
      received.set(person.user_id, valuesOf(inbox, 'event_id'));
    }
  });

  test.each(EVENTS)(
    'an event %s and messages about it are visible to exactly the people whom its announcement reaches',
    async (name) => {
      const event = events.get(name) as SchoolEvent;
      const audience = await notifiedPeople(event);
      for (const person of PEOPLE) {
        const { user_id } = person;
        const mayOpen = (await served.ask(whoIs(person), 'GET', `${E}/${event.id}`)).status === 200;
        if (audience.includes(user_id)) expect(mayOpen, user_id).toBe(true);
        // The class of an open event limits its recipients, not its readers.
        else if (!event.class_id) expect(mayOpen, user_id).toBe(false);
        expect(listed.get(user_id)?.includes(event.id), user_id).toBe(mayOpen);
        expect(received.get(user_id)?.includes(event.id), user_id).toBe(mayOpen);
      }
    },
  );
});

describe('a guardian', () => {
  beforeEach(openSchool);

  test('registers a child for an event of its class, by a token that knows only the child’s id', async () => {
    const event = await served.given({ visibility: 'restricted', restricted_to: { class_ids: ['5a'] } });
    const register = (user_id: string, child: string) =>
      served.ask(
        { user_id, roles: ['parent'], permissions: ['events.view'], children: [child] },
        'POST',
        `${E}/${event.id}/registrations`,
        { payload: { kind: 'attendee', user_id: child } },
      );
    expect((await register('eva', 'anna')).status).toBe(201);
    expect((await register('ivan', 'olga')).status).toBe(404);
  });

  test('of the directory opens an event for students, registers the child only, and manages that place', async () => {
    const event = await served.given({ visibility: 'students_only', registration_type: 'optional' });
    const registrations = `${E}/${event.id}/registrations`;
    const guardian = { user_id: 'eva', roles: ['parent'], permissions: ['events.view'] } satisfies Who;
    expect((await served.ask(guardian, 'GET', `${E}/${event.id}`)).status).toBe(200);
    expect((await served.ask(guardian, 'GET', E)).body.data).toEqual([]);
    const { children } = (await served.ask(guardian, 'GET', '/api/v1/me')).body;
    expect(children.map(({ user_id }: Contact) => user_id)).toEqual(['anna', 'petr']);
    const register = (payload: object) =>
      served.ask(guardian, 'POST', registrations, { payload: { kind: 'attendee', ...payload } });
    expect(await register({})).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await register({ user_id: 'olga' })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    const { status, body } = await register({ user_id: 'anna' });
    expect(status).toBe(201);
    expect((await served.ask(guardian, 'GET', `${registrations}/mine`)).body.data).toMatchObject([{ user_id: 'anna' }]);
    expect((await served.ask(guardian, 'POST', `${registrations}/${body.id}/cancel`, { payload: {} })).status).toBe(
      200,
    );
    const [fact] = await served.deps.facts.listOfEvent(event, event.id, {
      types: ['registration.cancelled'],
      limit: 1,
    });
    expect(fact?.data).not.toHaveProperty('by_staff');
  });

  test('has the rights from the moment the directory names the person, and no longer than it does', async () => {
    const event = await served.given({ visibility: 'students_only', registration_type: 'optional' });
    const guardian = { user_id: 'ivan', roles: ['parent'], permissions: ['events.view'] } satisfies Who;
    const staff = { user_id: 'jan', roles: ['staff'], permissions: ['events.contacts.manage'] } satisfies Who;
    const register = () =>
      served.ask(guardian, 'POST', `${E}/${event.id}/registrations`, {
        payload: { kind: 'attendee', user_id: 'anna' },
      });
    const nameGuardians = (guardians: string[]) =>
      served.ask(staff, 'PUT', '/api/v1/operations/contacts/anna', {
        payload: { name: 'Anna', roles: ['student'], guardians },
      });
    expect((await register()).status).toBe(403);
    await nameGuardians(['ivan']);
    expect((await register()).status).toBe(201);
    await nameGuardians(['eva']);
    expect((await served.ask(guardian, 'GET', `${E}/${event.id}/registrations/mine`)).body.data).toEqual([]);
  });

  test.each<[string, Who, number]>([
    ['a guardian who works at the school', { user_id: 'tina', roles: ['staff'] }, 200],
    ['a guardian whom only the token knows', { user_id: 'new', roles: ['parent'], children: ['petr'] }, 200],
    ['a parent without a child here', { user_id: 'new', roles: ['parent'] }, 404],
    ['staff without a child here', { user_id: 'jan', roles: ['staff'] }, 404],
  ])('%s opens an event for students only as a guardian', async (_, who, status) => {
    await served.tables.contacts.put(aContact('theo', { roles: ['student'], guardians: ['tina'] }));
    const event = await served.given({ visibility: 'students_only' });
    const answer = await served.ask({ ...who, permissions: ['events.view'] }, 'GET', `${E}/${event.id}`);
    expect(answer.status).toBe(status);
  });

  test('prefers the classes of the token, and ignores the directory of another school', async () => {
    const event = await served.given({ visibility: 'restricted', restricted_to: { class_ids: ['5a'] } });
    const open = async (who: Who) =>
      (await served.ask({ permissions: ['events.view'], ...who }, 'GET', `${E}/${event.id}`)).status;
    expect(await open({ user_id: 'anna', roles: ['student'], class_ids: ['6b'] })).toBe(404);
    expect(await open({ user_id: 'petr', roles: ['student'], class_ids: ['5a'] })).toBe(200);
    expect(await open({ user_id: 'anna', roles: ['student'], school_id: 's2' })).toBe(404);
    expect(await open({ user_id: 'anna', roles: ['external'] })).toBe(404);
    expect(await open({ user_id: 'anna', roles: [] })).toBe(404);
  });

  test('the directory is asked once for callers of one moment', async () => {
    let questions = 0;
    const { findMany } = served.deps.contacts;
    served.deps.contacts.findMany = async (scope, ids) => {
      questions += 1;
      return findMany(scope, ids);
    };
    const students = Array.from({ length: 20 }, (_, i) => ({
      user_id: `student-${i}`,
      roles: ['student' as const],
      permissions: ['events.view'],
    }));
    await Promise.all(students.map((who) => served.ask(who, 'GET', E)));
    expect(questions).toBeLessThan(20);
  });
});
