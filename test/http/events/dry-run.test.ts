import { describe, expect, it } from 'vitest';
import type { Contact } from '../../../src/people/contact.ts';
import { aContact, SCOPE } from '../../support/builders.ts';
import { E, EVERYTHING, PARENT, provideHttp, STAFF } from '../../support/http/http-app.ts';
import { aDelivery } from '../../support/message-builders.ts';

const { ask, given, tables, deps, stores } = await provideHttp();

describe('a dry run', () => {
  const person = (user_id: string, more: Partial<Contact> = {}) =>
    aContact(user_id, { email: `${user_id}@example.org`, locale: 'en', ...more });

  it('counts recipients and skip reasons by channel like the fan-out', async () => {
    await deps.contacts.putMany([
      person('anna'),
      person('twin', { email: 'ANNA@example.org' }),
      person('nobody', { email: null }),
      person('unwilling'),
      person('barred', { email: 'barred@example.org' }),
      person('teacher', { roles: ['staff'] }),
    ]);
    await deps.preferences.addOptOut(SCOPE, 'unwilling', 'event.published:email');
    await stores.suppressions.add(SCOPE, 'email', 'barred@example.org', {
      kind: 'complained',
      why: 'complaint',
    });
    const { id } = await given({ status: 'draft', target_audience: ['students'] });
    const { body } = await ask(STAFF, 'POST', `${E}/${id}/publish?dry_run=true`);
    expect(body.audience).toEqual({
      email: { told: 1, skipped: { same_address: 1, no_contact: 1, opted_out: 1, suppressed: 1 } },
      push: { told: 0, skipped: { no_contact: 5 } },
      in_app: { told: 5, skipped: {} },
    });
    expect(body).toMatchObject({ status: 'published', event: { id, status: 'published' }, changed_events: 1 });
    // By mail anna, and her twin at the same address; in the app all but the teacher.
    expect(body).toMatchObject({ people: 5, sms_segments: 0, estimated_seconds: 1 });
    expect(await tables.deliveries()).toEqual([]);
  });

  it('counts the people who would be promoted', async () => {
    const event = { max_attendees: 10, current_attendees: 10, waitlisted: 4, waitlist_enabled: true };
    const { id } = await given(event);
    const raised = await ask(STAFF, 'PATCH', `${E}/${id}?dry_run=true`, { payload: { max_attendees: 13 } });
    expect(raised.body).toMatchObject({ promotions: 3, audience: {} });
  });

  it('notifies only registered people of a cancellation', async () => {
    const { id } = await given();
    await ask(PARENT, 'POST', `${E}/${id}/registrations`, {
      payload: { kind: 'attendee', contact: { email: 'eva@example.org' } },
    });
    const { body } = await ask(STAFF, 'POST', `${E}/${id}/cancel?dry_run=true`, { payload: { reason: 'storm' } });
    expect(body.audience).toEqual({
      email: { told: 1, skipped: {} },
      sms: { told: 0, skipped: { channel_off: 1 } },
      push: { told: 0, skipped: { no_contact: 1 } },
      in_app: { told: 1, skipped: {} },
    });
    const silent = await ask(STAFF, 'POST', `${E}/${id}/cancel?dry_run=true`, {
      payload: { reason: 'x', notify: false },
    });
    expect(silent.body.audience.email).toEqual({ told: 0, skipped: { notifications_off: 1 } });
  });

  it('counts no one for an event that is published again as it was announced', async () => {
    await deps.contacts.putMany([person('anna')]);
    const { id } = await given({ status: 'draft', target_audience: ['students'] });
    expect((await ask(EVERYTHING, 'POST', `${E}/${id}/publish`)).status).toBe(200);
    const [fact] = (await tables.facts()).filter(({ type }) => type === 'event.published');
    const announced = { event_id: id, fact_id: fact?.id ?? '', user_id: 'anna', status: 'sent' } as const;
    await tables.deliveries.put(
      aDelivery({ ...announced, id: 'mail', channel: 'email' }),
      aDelivery({ ...announced, id: 'entry', channel: 'in_app' }),
    );
    expect((await ask(EVERYTHING, 'POST', `${E}/${id}/unpublish`)).status).toBe(200);
    const again = async () => (await ask(EVERYTHING, 'POST', `${E}/${id}/publish?dry_run=true`)).body;
    expect(await again()).toMatchObject({
      people: 0,
      audience: { email: { told: 0, skipped: { told_before: 1 } }, in_app: { told: 0, skipped: { told_before: 1 } } },
    });
    const moved = { payload: { start_date: '2026-10-17', end_date: '2026-10-17' } };
    expect((await ask(EVERYTHING, 'PATCH', `${E}/${id}`, moved)).status).toBe(200);
    expect(await again()).toMatchObject({ people: 1, audience: { email: { told: 1 }, in_app: { told: 1 } } });
  });

  it.each(['dry_run=yes', 'dryrun=true', 'scope=everything'])('is refused if the query is ?%s', async (query) => {
    const { id } = await given({ status: 'draft' });
    expect((await ask(STAFF, 'POST', `${E}/${id}/publish?${query}`)).status).toBe(422);
  });
});
