import PostalMime from 'postal-mime';
import { beforeAll, describe, expect, it } from 'vitest';
import { register, registerFamily } from '../../../src/registrations/register.ts';
import { untilIdle } from '../../faults/harness/checks.ts';
import { emptyDatabaseUri } from '../../support/database.ts';
import { openSeats, person } from '../../support/seats.ts';
import { contactOf, E, openSchool, publishEvent, putPeople, type World } from '../../support/world.ts';

describe('two families and three places', () => {
  it('gives places to one family, registers no one of the other, and never oversells', async () => {
    const seats = await openSeats(await emptyDatabaseUri());
    const outcomes: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const event = await seats.given({ max_attendees: 3 });
      const sign = (name: string) => {
        const children = [`${name}-1`, `${name}-2`];
        const people = children.map((user_id) => ({ user_id, kind: 'attendee' as const }));
        // Each family reaches another process.
        const deps = { ...seats, eventQueues: seats.eventQueues() };
        return registerFamily(deps, person(name, { children }), event, { people, together: true });
      };
      const both = await Promise.allSettled([sign('novak'), sign('maly')]);
      const lost = both.filter((one) => one.status === 'rejected');
      outcomes.push(
        ...lost.map(({ reason }) => `${reason.refusal.code}: ${reason.refusal.extra.available_spots} free`),
      );
      const rows = await seats.rowsOf(event.id);
      expect(new Set(rows.map(({ registered_by }) => registered_by)).size).toBe(1);
      expect(rows).toHaveLength(2);
      expect(await seats.eventOf(event.id)).toMatchObject({ current_attendees: 2, confirmed: 2 });
    }
    expect(outcomes).toEqual(Array.from({ length: 10 }, () => 'event_full: 1 free'));
    await seats.database.close();
  });

  it('never oversells to families and single people who come at once', async () => {
    const seats = await openSeats(await emptyDatabaseUri());
    const event = await seats.given({ max_attendees: 10, waitlist_enabled: true });
    const processes = [seats.eventQueues(), seats.eventQueues()];
    const of = (n: number) => ({ ...seats, eventQueues: processes[n % 2] as (typeof processes)[0] });
    const family = (n: number) => {
      const children = [0, 1, 2].map((child) => `child-${n}-${child}`);
      const people = children.map((user_id) => ({ user_id, kind: 'attendee' as const }));
      return registerFamily(of(n), person(`parent-${n}`, { children }), event, { people, together: n % 3 === 0 });
    };
    const single = (n: number) => register(of(n), person(`single-${n}`), event, { kind: 'attendee' });
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => (n % 4 === 3 ? single(n) : family(n))),
    );
    const rows = await seats.rowsOf(event.id);
    const count = (status: string) => rows.filter((row) => row.status === status).length;
    expect(await seats.eventOf(event.id)).toMatchObject({
      current_attendees: count('confirmed'),
      waitlisted: count('waitlisted'),
    });
    expect(count('confirmed')).toBe(10);
    const numbers = rows.flatMap(({ waitlist_number }) => waitlist_number ?? []).sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    for (const n of [0, 6, 9]) {
      const own = rows.filter(({ registered_by }) => registered_by === `parent-${n}`);
      expect(own).toHaveLength(results[n]?.status === 'fulfilled' ? 3 : 0);
      expect(new Set(own.map(({ status }) => status)).size).toBeLessThanOrEqual(1);
    }
    await seats.database.close();
  });
});

describe('a guardian who registers two children in one step', () => {
  let world: World;
  beforeAll(async () => {
    world = await openSchool();
    await putPeople(world, [
      contactOf(1, { user_id: 'adam', name: 'Adam Novák', email: null, guardians: ['jana', 'karl'] }),
      contactOf(2, { user_id: 'bea', name: 'Bea Nováková', email: null, guardians: ['jana', 'karl'] }),
      contactOf(3, {
        user_id: 'jana',
        name: 'Jana Nováková',
        email: 'jana@people.example',
        roles: ['parent'],
        locale: 'en',
      }),
      contactOf(4, {
        user_id: 'karl',
        name: 'Karl Novák',
        email: 'karl@people.example',
        roles: ['parent'],
        locale: 'cs',
      }),
    ]);
  });

  async function sign(id: string, payload: object) {
    const as = await world.token({
      ...world.scope,
      user_id: 'jana',
      roles: ['parent'],
      children: ['adam', 'bea'],
    });
    const { status, body } = await world.call('POST', `${E}/${id}/registrations/family`, payload, { as });
    expect(status).toBe(201);
    return body.data as unknown as { registration: { id: string } }[];
  }
  const published = (more: object): Promise<string> =>
    publishEvent(world, {
      registration_type: 'optional',
      target_audience: ['staff'],
      timezone: 'Europe/Prague',
      ...more,
    });
  const people = ['adam', 'bea'].map((user_id) => ({ user_id, kind: 'attendee' }));
  const mailsTo = async (address: string, title: string) => {
    const mails = world.smtp.messages.filter(({ to }) => to.includes(address));
    const parsed = await Promise.all(mails.map(({ raw }) => PostalMime.parse(raw)));
    return parsed
      .filter(({ subject }) => subject?.includes(title))
      .map(({ subject, text = '' }) => ({ subject, text }));
  };

  it('gets one confirmation that names both, as does the other guardian', async () => {
    const id = await published({ title: 'School trip', max_attendees: 2 });
    await sign(id, { people, together: true });
    await untilIdle(world);
    const [mail, ...more] = await mailsTo('jana@people.example', 'School trip');
    expect(more).toEqual([]);
    expect(mail?.subject).toContain('Registration confirmed: School trip');
    expect(mail?.text).toContain('Good news: the registrations are confirmed and the places are reserved.');
    expect(mail?.text).toContain('For: Adam Novák, Bea Nováková');
    const [czech, ...others] = await mailsTo('karl@people.example', 'School trip');
    expect(others).toEqual([]);
    expect(czech?.text).toContain('přihlášky jsou potvrzené a místa zajištěná');
    expect(czech?.text).toContain('Týká se: Adam Novák, Bea Nováková');
    const sent = await world.deliveries({ event_id: id, channel: 'email', trigger: 'registration.confirmed' });
    expect(sent).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
    // Each child has an entry in their own inbox, and the guardian who registered them one about both.
    const entries = await world.deliveries({ event_id: id, channel: 'in_app', trigger: 'registration.confirmed' });
    expect(entries.map(({ user_id }) => user_id).sort()).toEqual(['adam', 'bea', 'jana']);
    const as = await world.token({ ...world.scope, user_id: 'jana', roles: ['parent'] });
    const { body } = await world.call('GET', '/api/v1/me/inbox', undefined, { as });
    expect(body.data).toMatchObject([
      { title: 'Registration confirmed: School trip', body: expect.stringContaining('For: Adam Novák, Bea Nováková') },
    ]);
  }, 60_000);

  it('gets one message with both positions on the waitlist, and one for each result if they differ', async () => {
    const full = await published({ title: 'Full trip', max_attendees: 1, waitlist_enabled: true });
    await world.call('POST', `${E}/${full}/registrations`, { kind: 'attendee', user_id: 'karl' });
    await sign(full, { people, together: true });
    const half = await published({ title: 'Half trip', max_attendees: 1, waitlist_enabled: true });
    await sign(half, { people });
    await untilIdle(world);
    const waiting = await mailsTo('jana@people.example', 'Full trip');
    expect(waiting).toHaveLength(1);
    expect(waiting[0]?.text).toContain('so the registrations are on the waitlist at positions 1 and 2.');
    const mixed = await mailsTo('jana@people.example', 'Half trip');
    const about = mixed.map(({ subject = '', text }) => [subject.split(':')[0], /For: (.+)/.exec(text)?.[1]]);
    expect(about.sort()).toEqual([
      ['On the waitlist', 'Bea Nováková'],
      ['Registration confirmed', 'Adam Novák'],
    ]);
  }, 60_000);
});
