import { describe, expect, it } from 'vitest';
import { E, EVERYTHING, PARENT, provideHttp, STAFF, type Who } from '../../support/http/http-app.ts';

const { ask, given, tables } = await provideHttp();

const person = (user_id: string): Who => ({ ...PARENT, user_id });

describe('a message to those registered', () => {
  const payload = { subject: 'What to bring', body: 'Boots.', channels: ['email', 'sms', 'in_app'] };

  it('is a fact whose text only staff see in the timeline', async () => {
    const { id } = await given();
    const url = `${E}/${id}/registrations/messages`;
    expect((await ask(PARENT, 'POST', url, { payload })).status).toBe(403);
    const sent = await ask(STAFF, 'POST', url, { payload: { ...payload, status: 'confirmed' } });
    expect(sent).toMatchObject({ status: 202, body: { message_id: (await tables.facts())[0]?.id } });
    expect(await tables.facts()).toMatchObject([
      { type: 'message.requested', data: { ...payload, status: 'confirmed', kind: null } },
    ]);
    expect((await ask(PARENT, 'GET', `${E}/${id}/timeline`)).text).not.toContain('Boots');
    expect((await ask(STAFF, 'GET', `${E}/${id}/timeline`)).text).toContain('Boots');
  });

  it('previews recipients, messages, SMS parts and reasons for skipping', async () => {
    const { id } = await given();
    for (const [name, contact] of [
      ['a', { email: 'a@x.org' }],
      ['b', null],
    ] as const)
      await ask(person(name), 'POST', `${E}/${id}/registrations`, { payload: { kind: 'attendee', contact } });
    const facts = (await tables.facts()).length;
    const url = `${E}/${id}/registrations/messages?dry_run=true`;
    const preview = await ask(STAFF, 'POST', url, { payload });
    expect(preview).toMatchObject({
      status: 200,
      body: {
        dry_run: true,
        people: 2,
        audience: {
          email: { told: 1, skipped: { no_contact: 1 } },
          in_app: { told: 2 },
          sms: { told: 0, skipped: { channel_off: 2 } },
        },
        sms_segments: 0,
      },
    });
    const addressed = async (filter: object) =>
      (await ask(STAFF, 'POST', url, { payload: { ...payload, ...filter } })).body.people;
    expect(await addressed({ kind: 'attendee', status: 'confirmed' })).toBe(2);
    expect([await addressed({ kind: 'speaker' }), await addressed({ status: 'waitlisted' })]).toEqual([0, 0]);
    expect(await tables.facts()).toHaveLength(facts);
  });
});

describe('the link of a postponed event', () => {
  it('asks on GET, gives up the place on POST, and accepts a repeated POST', async () => {
    const { id } = await given({ title: 'Concert <b>', max_attendees: 1, waitlist_enabled: true });
    const url = `${E}/${id}/registrations`;
    const { body } = await ask(person('a'), 'POST', url, { payload: { kind: 'attendee' } });
    const page = await ask(null, 'GET', `/place/place-${body.id}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('Your place: Concert &lt;b&gt;');
    // The link is sent also while the new date is not known.
    expect(page.text).toContain('The event has been postponed, and we have kept your place.');
    expect((await ask(STAFF, 'GET', `${url}/${body.id}`)).body.status).toBe('confirmed');
    for (const _again of [1, 2]) expect((await ask(null, 'POST', `/place/place-${body.id}`)).status).toBe(200);
    expect((await ask(STAFF, 'GET', `${url}/${body.id}`)).body.status).toBe('cancelled');
    expect((await ask(STAFF, 'GET', `${E}/${id}`)).body.current_attendees).toBe(0);
    expect((await ask(null, 'GET', `/place/place-${body.id}`)).text).not.toContain('<form');
    for (const method of ['GET', 'POST']) expect((await ask(null, method, '/place/forged')).status).toBe(404);
  });

  it('keeps the registration once the event is over', async () => {
    const { id } = await given();
    const url = `${E}/${id}/registrations`;
    const { body } = await ask(person('a'), 'POST', url, { payload: { kind: 'attendee' } });
    expect((await ask(EVERYTHING, 'POST', `${E}/${id}/cancel`, { payload: { reason: 'Storm' } })).status).toBe(200);
    for (const method of ['GET', 'POST']) {
      const page = await ask(null, method, `/place/place-${body.id}`);
      expect([page.status, page.text]).toEqual([404, expect.stringContaining('no place to give up any more')]);
    }
    expect((await ask(STAFF, 'GET', `${url}/${body.id}`)).body.status).toBe('confirmed');
  });
});

it('keeps a registration from its owner once the event is over, and lets staff cancel it', async () => {
  const { id } = await given();
  const url = `${E}/${id}/registrations`;
  const { body } = await ask(person('a'), 'POST', url, { payload: { kind: 'attendee' } });
  for (const move of ['start', 'complete']) await ask(EVERYTHING, 'POST', `${E}/${id}/${move}`);
  for (const action of ['cancel', 'decline'])
    expect(await ask(person('a'), 'POST', `${url}/${body.id}/${action}`, { payload: {} })).toMatchObject({
      status: 409,
      body: { code: 'registration_closed', detail: 'The event is over.' },
    });
  const cancelled = await ask(STAFF, 'POST', `${url}/${body.id}/cancel`, { payload: {} });
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } });
});
