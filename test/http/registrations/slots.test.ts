import { beforeEach, describe, expect, it } from 'vitest';
import { aContact } from '../../support/builders.ts';
import { E, PARENT, provideHttp, STAFF, type Who } from '../../support/http/http-app.ts';

const served = await provideHttp();

const EVENING = {
  title: 'Parent-teacher evening',
  event_type: 'parent_teacher',
  start_date: '2026-10-16',
  end_date: '2026-10-16',
  start_time: '16:00',
  end_time: '18:00',
  timezone: 'UTC',
  registration_type: 'optional',
  slots: {
    length_minutes: 20,
    hosts: [
      { user_id: 'jana', name: 'Jana Dvořáková' },
      { user_id: 'petr', name: 'Petr Malý' },
    ],
  },
};
const EVA: Who = { ...PARENT, children: ['tom', 'ema'] };
const OTHER: Who = { ...PARENT, user_id: 'other', children: ['anna'] };

const slot = (host_user_id: string, minute: number) => ({ host_user_id, minute });

describe('meetings that families choose', () => {
  let id: string;
  beforeEach(async () => {
    await served.tables.contacts.put(
      aContact('eva', { name: 'Eva Nováková', roles: ['parent'] }),
      aContact('tom', { name: 'Tom Novák', class_ids: ['5A'] }),
    );
    const { body, status } = await served.ask(STAFF, 'POST', E, { payload: EVENING });
    expect([status, body.errors]).toEqual([201, undefined]);
    id = body.id;
    expect((await served.ask(STAFF, 'POST', `${E}/${id}/publish`)).status).toBe(200);
  });

  const register = (who: Who, user_id: string, slots: object[]) =>
    served.ask(who, 'POST', `${E}/${id}/registrations`, { payload: { kind: 'attendee', user_id, slots } });
  const change = (who: Who, rid: string, slots: object[]) =>
    served.ask(who, 'PUT', `${E}/${id}/registrations/${rid}/slots`, { payload: { slots } });
  const listed = async (who: Who) => (await served.ask(who, 'GET', `${E}/${id}/slots`)).body;
  const freeOf = async (host: string) =>
    (await listed(EVA)).data.flatMap((one: { host_user_id: string; minute: number; is_free: boolean }) =>
      one.host_user_id === host && one.is_free ? one.minute : [],
    );

  it('are listed with their times, and with names only for those who may see them', async () => {
    expect((await register(EVA, 'tom', [slot('jana', 20)])).body).toMatchObject({ slots: [slot('jana', 20)] });
    const shown = await listed(OTHER);
    expect(shown).toMatchObject({ length_minutes: 20, hosts: EVENING.slots.hosts });
    expect(shown.data).toHaveLength(12);
    expect(shown.data[2]).toEqual({
      ...slot('jana', 20),
      starts_at: '2026-10-16T16:20:00.000Z',
      ends_at: '2026-10-16T16:40:00.000Z',
      is_free: false,
      taken_by: null,
    });
    const named = { user_id: 'tom', name: 'Tom Novák', class_ids: ['5A'], registered_by: 'Eva Nováková' };
    expect((await listed(STAFF)).data[2].taken_by).toMatchObject(named);
    const teacher = { user_id: 'jana', roles: ['staff'], permissions: ['events.view'] } as const;
    expect((await listed(teacher)).data[2].taken_by).toMatchObject(named);
    expect((await listed({ ...teacher, user_id: 'petr' })).data[2].taken_by).toBeNull();
  });

  it('are given once, and not twice at a time to a parent', async () => {
    expect((await register(EVA, 'tom', [])).body.errors).toMatchObject([{ pointer: '/slots' }]);
    expect((await register(EVA, 'tom', [slot('jana', 0), slot('petr', 20)])).status).toBe(201);
    expect(await register(OTHER, 'anna', [slot('jana', 0)])).toMatchObject({
      status: 409,
      body: { code: 'slot_taken', slots: [slot('jana', 0)] },
    });
    expect(await register(EVA, 'ema', [slot('jana', 20)])).toMatchObject({
      status: 409,
      body: { code: 'slots_overlap', slots: [slot('jana', 20)] },
    });
    expect((await register(EVA, 'ema', [slot('jana', 40)])).status).toBe(201);
    expect((await register(OTHER, 'anna', [slot('jana', 20)])).status).toBe(201);
  });

  it('become free when they are changed or cancelled, and a change is confirmed anew', async () => {
    const { body: tom } = await register(EVA, 'tom', [slot('jana', 0)]);
    expect(await change(OTHER, tom.id, [slot('jana', 20)])).toMatchObject({ status: 403 });
    expect(await change(EVA, tom.id, [slot('jana', 40)])).toMatchObject({
      status: 200,
      body: { slots: [slot('jana', 40)] },
    });
    expect(await freeOf('jana')).toEqual([0, 20, 60, 80, 100]);
    const facts = (await served.tables.facts()).filter(({ type }) => type === 'registration.confirmed');
    expect(facts.map(({ data }) => (data as { confirmation: number }).confirmation)).toEqual([1, 2]);
    await served.ask(EVA, 'POST', `${E}/${id}/registrations/${tom.id}/cancel`, { payload: {} });
    expect(await freeOf('jana')).toHaveLength(6);
    expect((await change(EVA, tom.id, [slot('jana', 0)])).body.code).toBe('registration_not_active');
    expect((await register(EVA, 'tom', [slot('jana', 40)])).status).toBe(201);
  });

  it('send no second confirmation if they are chosen again', async () => {
    const both = [slot('jana', 0), slot('petr', 20)];
    const { body: tom } = await register(EVA, 'tom', both);
    expect(await change(EVA, tom.id, both.toReversed())).toMatchObject({ status: 200, body: { slots: both } });
    const confirmed = async () =>
      (await served.tables.facts()).filter(({ type }) => type === 'registration.confirmed').length;
    expect(await confirmed()).toBe(1);
    expect((await change(EVA, tom.id, [slot('jana', 0)])).body.slots).toHaveLength(1);
    expect(await confirmed()).toBe(2);
  });

  it('can be moved on while another family takes the time', async () => {
    const { body: tom } = await register(EVA, 'tom', [slot('jana', 0)]);
    const [moved, taken] = await Promise.all([
      change(EVA, tom.id, [slot('jana', 20)]),
      register(OTHER, 'anna', [slot('jana', 0)]),
    ]);
    expect(moved.status).toBe(200);
    expect([201, 409]).toContain(taken.status);
  });

  it('can be exchanged by siblings in changes that arrive together', async () => {
    const { body: tom } = await register(EVA, 'tom', [slot('jana', 0)]);
    const { body: ema } = await register(EVA, 'ema', [slot('jana', 20)]);
    // The first change occupies the event, so that the others are decided together.
    const changed = await Promise.all([
      change(EVA, tom.id, [slot('petr', 100)]),
      change(EVA, tom.id, [slot('petr', 60)]),
      change(EVA, ema.id, [slot('jana', 0)]),
      change(EVA, tom.id, [slot('jana', 20)]),
    ]);
    expect(changed.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await freeOf('jana')).toEqual([40, 60, 80, 100]);
    expect(await freeOf('petr')).toHaveLength(6);
  });

  it('go to one of twenty families who choose the same time in the same moment', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        register({ ...PARENT, user_id: `p${n}`, children: [`c${n}`] }, `c${n}`, [slot('petr', 60)]),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const codes = answers.filter(({ status }) => status !== 201).map(({ body }) => body.code);
    expect(new Set(codes)).toEqual(new Set(['slot_taken']));
    expect(await served.tables.registrations()).toHaveLength(1);
  });

  it('are given once by the database too', async () => {
    await register(EVA, 'tom', [slot('jana', 0)]);
    const [row] = await served.tables.registrations();
    const twin = { ...row, id: 'twin', user_id: 'anna' } as never;
    await expect(served.tables.registrations.put(twin)).rejects.toThrow('taken meanwhile');
  });

  it('can be added but not taken away once chosen', async () => {
    await register(EVA, 'tom', [slot('jana', 0)]);
    const edit = (payload: object) => served.ask(STAFF, 'PATCH', `${E}/${id}`, { payload });
    expect((await edit({ end_time: '17:00' })).body.code).toBe('slots_in_use');
    expect((await edit({ slots: { ...EVENING.slots, length_minutes: 10 } })).body.code).toBe('slots_in_use');
    expect((await edit({ end_time: '19:00' })).status).toBe(200);
    expect((await listed(EVA)).data).toHaveLength(18);
    expect((await edit({ waitlist_enabled: true, max_attendees: 9 })).body.errors).toMatchObject([
      { pointer: '/waitlist_enabled', rule: 'slots' },
    ]);
  });

  it('are neither taken away nor spread over two days by a postponement', async () => {
    await register(EVA, 'tom', [slot('jana', 100)]);
    const postpone = (dates: object) =>
      served.ask(STAFF, 'POST', `${E}/${id}/postpone`, {
        payload: { new_start_date: '2026-10-20', reason: 'Snow', ...dates },
      });
    const twoDays = await postpone({ new_end_date: '2026-10-21' });
    expect(twoDays).toMatchObject({ status: 422, body: { errors: [{ pointer: '/slots', rule: 'slots' }] } });
    const shorter = await postpone({ new_start_time: '17:00', new_end_time: '18:00' });
    expect(shorter).toMatchObject({ status: 409, body: { code: 'slots_in_use' } });
    expect((await postpone({ new_start_time: '17:00' })).body).toMatchObject({ end_time: '19:00' });
  });

  it('are named by the person of a family whose times are faulty', async () => {
    const people = [
      { kind: 'attendee', user_id: 'tom', slots: [slot('jana', 0)] },
      { kind: 'attendee', user_id: 'ema', slots: [slot('jana', 1)] },
    ];
    const payload = { people, together: true };
    const { body } = await served.ask(EVA, 'POST', `${E}/${id}/registrations/family`, { payload });
    expect(body.errors).toMatchObject([{ pointer: '/people/1/slots', message: 'must be times of this event' }]);
  });
});
