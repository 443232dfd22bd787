import { describe, expect, it } from 'vitest';
import { E, PARENT, provideHttp, STAFF, valuesOf } from '../../support/http/http-app.ts';
import { aDelivery } from '../../support/message-builders.ts';

const { ask, given, tables, stores, now } = await provideHttp();

describe('the records of an event', () => {
  it('list its facts, newest first, in pages', async () => {
    const { id } = await given({ status: 'draft' });
    for (const move of ['publish', 'unpublish', 'publish']) await ask(STAFF, 'POST', `${E}/${id}/${move}`);
    const first = await ask(PARENT, 'GET', `${E}/${id}/timeline?limit=2`);
    expect(first.body).toMatchObject({
      has_more: true,
      data: [{ type: 'event.published', actor: { user_id: 'staff' } }, { type: 'event.unpublished' }],
    });
    const second = await ask(PARENT, 'GET', `${E}/${id}/timeline?limit=2&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null, data: [{ type: 'event.published' }] });
    const other = await given();
    const strange = await ask(PARENT, 'GET', `${E}/${other.id}/timeline?cursor=${first.body.next_cursor}`);
    expect(strange).toMatchObject({ status: 422, body: { errors: [{ pointer: '/query/cursor' }] } });
  });

  it('name registered people only to the organizer and staff who manage registrations', async () => {
    const { id } = await given();
    await ask(PARENT, 'POST', `${E}/${id}/registrations`, { payload: { kind: 'attendee' } });
    const seen = async (who: typeof PARENT) => (await ask(who, 'GET', `${E}/${id}/timeline`)).body.data[0];
    expect(await seen(PARENT)).toMatchObject({ type: 'registration.confirmed', actor: null, data: {} });
    expect(await seen(STAFF)).toMatchObject({ actor: { user_id: 'eva' }, data: { user_id: 'eva' } });
    expect(await seen({ user_id: 'organizer', permissions: ['events.view'] })).toMatchObject({
      data: { user_id: 'eva' },
    });
  });

  it('list its reminders to staff who can edit it', async () => {
    const { id } = await given({
      status: 'draft',
      reminders: [
        { type: 'sms', offset: 15 },
        { type: 'email', offset: 1440 },
      ],
    });
    await ask(STAFF, 'POST', `${E}/${id}/publish`);
    const answer = await ask(STAFF, 'GET', `${E}/${id}/reminders`);
    const messages = { sent: 0, skipped: 0, expired: 0, failed: 0, open: 0 };
    const untouched = { schedule_version: expect.any(Number), messages };
    expect(answer.body).toEqual({
      data: [
        { type: 'email', offset: 1440, due_at: '2026-10-15T09:00:00.000Z', status: 'planned', ...untouched },
        { type: 'sms', offset: 15, due_at: '2026-10-16T08:45:00.000Z', status: 'planned', ...untouched },
      ],
      next_cursor: null,
      has_more: false,
    });
    expect((await ask(PARENT, 'GET', `${E}/${id}/reminders`)).status).toBe(403);
    // Numbers of deleted messages are no longer known by reminder.
    await tables.deliveries.put(aDelivery({ event_id: id, status: 'sent', created_at: now.at }));
    await stores.old.removeDeliveries(id, new Date(now.at.getTime() + 1));
    const later = await ask(STAFF, 'GET', `${E}/${id}/reminders`);
    expect(later.body.data).toMatchObject([{ messages: null }, { messages: null }]);
  });

  it('list every message with its reason in words and without the address', async () => {
    const { id } = await given();
    const row = { event_id: id, address: 'eva@example.org', status: 'sent', settled_at: now.at } as const;
    const petr = [{ user_id: 'petr', name: 'Petr' }];
    await tables.deliveries.put(
      aDelivery({ ...row, id: 'd1' }),
      aDelivery({ ...row, id: 'd2', user_id: 'jan', on_behalf_of: petr, status: 'skipped', reason: 'no_contact' }),
    );
    const all = await ask(STAFF, 'GET', `${E}/${id}/deliveries`);
    expect(all.body.data).toMatchObject([
      { id: 'd1', status: 'sent', reason: null, reason_text: null },
      {
        id: 'd2',
        on_behalf_of: petr,
        status: 'skipped',
        reason: 'no_contact',
        reason_text: 'no contact details for this channel',
      },
    ]);
    expect(all.text).not.toContain('example.org');
    const one = await ask(STAFF, 'GET', `${E}/${id}/deliveries?user_id=jan`);
    expect(valuesOf(one, 'id')).toEqual(['d2']);
    const first = await ask(STAFF, 'GET', `${E}/${id}/deliveries?limit=1`);
    const crossed = await ask(
      STAFF,
      'GET',
      `${E}/${id}/deliveries?limit=1&user_id=jan&cursor=${first.body.next_cursor}`,
    );
    expect(crossed.status).toBe(422);
    expect((await ask(PARENT, 'GET', `${E}/${id}/deliveries`)).status).toBe(403);
  });
});
