import PostalMime from 'postal-mime';
import { beforeAll, describe, expect, it } from 'vitest';
import { untilIdle } from '../../faults/harness/checks.ts';
import { contactOf, E, openSchool, publishEvent, putPeople, type World } from '../../support/world.ts';

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
  });

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
  });
});
