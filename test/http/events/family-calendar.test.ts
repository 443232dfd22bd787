import { beforeEach, describe, expect, it } from 'vitest';
import { aContact } from '../../support/builders.ts';
import { type Answer, E, PARENT, provideHttp, serveAnew, type Who } from '../../support/http/http-app.ts';

const DAY = {
  start_date: '2026-10-01',
  end_date: '2026-10-01',
  starts_at: new Date('2026-10-01T09:00:00Z'),
  ends_at: new Date('2026-10-01T10:00:00Z'),
};
const CALENDAR = `${E}/calendar?view=day&date=2026-10-01`;

type Titled = { title: string; registered?: { user_id: string; status: string }[] };
const titlesOf = (rows: Titled[]) => rows.map(({ title }) => title).sort();
const heldIn = (rows: Titled[]) => Object.fromEntries(rows.map(({ title, registered }) => [title, registered]));

const served = await provideHttp();
const { ask } = served;

/** A parent of a child in 5.A and of one in 6.B, as the directory knows them. */
const MOTHER: Who = { ...PARENT, user_id: 'eva' };
const FATHER: Who = { ...PARENT, user_id: 'karl' };

beforeEach(async () => {
  await served.tables.contacts.put(
    aContact('anna', { roles: ['student'], class_ids: ['5a'], grade_level_ids: ['g5'], guardians: ['eva', 'karl'] }),
    aContact('petr', { roles: ['student'], class_ids: ['6b'], grade_level_ids: ['g6'], guardians: ['eva'] }),
    aContact('olga', { roles: ['student'], class_ids: ['6b'], guardians: ['ivan'] }),
    ...['eva', 'karl', 'ivan'].map((id) => aContact(id, { roles: ['parent'] })),
  );
  const { given } = served;
  const to = (more: object) => ({ visibility: 'restricted', restricted_to: more }) as const;
  await given({ ...DAY, title: 'whole school', max_attendees: 2, waitlist_enabled: true });
  await given({ ...DAY, title: '5a', class_id: '5a' });
  await given({ ...DAY, title: '6b', class_id: '6b' });
  await given({ ...DAY, title: 'grade 6', grade_level_ids: ['g6'] });
  await given({ ...DAY, title: 'other class', class_id: '7c' });
  await given({ ...DAY, title: 'staff meeting', target_audience: ['staff'] });
  await given({ ...DAY, title: 'parents', target_audience: ['parents', 'staff'] });
  await given({ ...DAY, title: 'only 6b', ...to({ class_ids: ['6b'] }) });
  await given({ ...DAY, title: 'only Anna', ...to({ user_ids: ['anna'] }) });
});

describe('the filter of children', () => {
  it.each([
    ['anna', ['5a', 'only Anna', 'parents', 'whole school']],
    ['petr', ['6b', 'grade 6', 'only 6b', 'parents', 'whole school']],
  ])('shows what concerns %s, in calendar and list', async (child, expected) => {
    const calendar = await ask(MOTHER, 'GET', `${CALENDAR}&child_id=${child}`);
    expect(titlesOf(calendar.body.entries)).toEqual(expected);
    expect(titlesOf((await ask(MOTHER, 'GET', `${E}?child_id=${child}`)).body.data)).toEqual(expected);
  });

  it('shows what concerns any of several children', async () => {
    const { body } = await ask(MOTHER, 'GET', `${E}?child_id=anna&child_id=petr&class_id=5a&class_id=6b`);
    expect(titlesOf(body.data)).toEqual(['5a', '6b']);
  });

  it.each(['olga', 'eva', 'petr'])('refuses %s, who is not a child of the caller', async (child_id) => {
    for (const url of [`${E}?child_id=${child_id}`, `${CALENDAR}&child_id=${child_id}`])
      expect(await ask(FATHER, 'GET', url)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/query/child_id', rule: 'own_child' }] },
      });
  });
});

describe('the registrations of a family', () => {
  const listed = async (who: Who) => heldIn((await ask(who, 'GET', `${E}?fields=title&fields=registered`)).body.data);
  const shown = async (who: Who) => heldIn((await ask(who, 'GET', CALENDAR)).body.entries);

  it('are shown in calendar and list to the family alone, until they are cancelled', async () => {
    const { data } = (await ask(MOTHER, 'GET', `${E}?q=whole`)).body;
    const url = `${E}/${data[0].id}/registrations`;
    const register = (who: Who, user_id: string): Promise<Answer> =>
      ask(who, 'POST', url, { payload: { kind: 'attendee', user_id } });
    const anna = await register(MOTHER, 'anna');
    await register({ ...PARENT, user_id: 'ivan' }, 'olga');
    await register(MOTHER, 'petr');
    const held = [
      { user_id: 'anna', status: 'confirmed' },
      { user_id: 'petr', status: 'waitlisted' },
    ];
    for (const found of [await listed(MOTHER), await shown(MOTHER)]) {
      expect(found['whole school']).toHaveLength(2);
      expect(found['whole school']).toEqual(expect.arrayContaining(held));
      expect(found['5a']).toEqual([]);
    }
    expect((await shown(FATHER))['whole school']).toEqual([held[0]]);
    expect((await shown({ ...PARENT, user_id: 'someone else' }))['whole school']).toEqual([]);

    await ask(MOTHER, 'POST', `${url}/${anna.body.id}/cancel`, { payload: {} });
    expect((await shown(FATHER))['whole school']).toEqual([]);
    expect((await listed(MOTHER))['whole school']).toEqual([{ user_id: 'petr', status: 'confirmed' }]);
  });

  it('take one query for a whole calendar', async () => {
    const { registrations } = served.deps;
    let queries = 0;
    const counting = await serveAnew(
      {},
      {
        registrations: {
          ...registrations,
          findActive: (...given) => {
            queries += 1;
            return registrations.findActive(...given);
          },
        },
      },
    );
    await counting.given({ ...DAY, title: 'one', current_attendees: 1 });
    await counting.given({ ...DAY, title: 'two', current_attendees: 1 });
    const { body } = await counting.ask(MOTHER, 'GET', CALENDAR);
    expect([titlesOf(body.entries), queries]).toEqual([['one', 'two'], 1]);
  });
});
