import { aContact, anEvent, aRegistration, aSchool, SCOPE } from '../builders.ts';
import { aDelivery, aSchoolMessage } from '../message-builders.ts';
import type { RealApp } from './real-app.ts';

/** Eva owns everything in the school; people of other schools may have the same id. */
export const OWNER = 'eva';
export const EVENT = 'event-1';
export const IDS = {
  id: EVENT,
  event_id: EVENT,
  rid: 'r1',
  delivery_id: 'd1',
  user_id: OWNER,
  suppression_id: 'q1',
  change_id: 'h1',
  message_id: 'm1',
  text_id: 't1',
  template_id: 'e1',
  calendar_id: 'c1',
  webhook_id: 'w1',
  attempt_id: 'a1',
  school_id: 's1',
  trigger: 'event.published',
};

/** A school with one of everything, under the ids of route parameters. All stored texts contain the word canary. */
export async function furnish({ deps, database, ask }: RealApp): Promise<void> {
  const event = anEvent({
    id: EVENT,
    title: 'canary of the event',
    visibility: 'staff_only',
    registration_type: 'optional',
    tags: ['canary'],
    starts_at: new Date(Date.now() + 86_400_000),
    ends_at: new Date(Date.now() + 90_000_000),
    current_attendees: 1,
  });
  const registration = aRegistration({ id: 'r1', event_id: EVENT, user_id: OWNER, notes: 'canary' });
  await deps.schools.put(aSchool({ name: 'canary of the school' }));
  await deps.contacts.putMany([aContact(OWNER, { name: 'canary of the person' })]);
  await deps.transact(async (tx) => {
    await deps.events.insert([event], tx);
    await deps.registrations.insertMany([registration], tx);
  });
  const mine = { ...SCOPE, user_id: OWNER };
  const put = (name: Parameters<typeof database.collection>[0], row: object) =>
    database.collection(name).insertOne(row as never);
  const { id: _, ...delivery } = aDelivery({ event_id: EVENT, user_id: OWNER, status: 'quarantined', name: 'canary' });
  await put('deliveries', { _id: 'd1', ...delivery });
  const failed = { status: 'failed', reason: 'refused', settled_at: new Date() };
  await put('deliveries', { _id: 'd2', ...delivery, ...failed });
  await put('suppressions', {
    _id: 'q1',
    tenant_id: 't1',
    schools: ['s1'],
    channel: 'email',
    address: 'canary@people.example',
    kind: 'bounced',
    why: 'bounce 5.1.1',
    since: new Date(),
    until: new Date(Date.now() + 86_400_000),
    times: 1,
  });
  const { id: _id, ...fields } = event;
  await put('event_templates', { _id: 'e1', ...fields, name: 'canary of the template' });
  const change = { action: 'cancel', state: 'released', until: new Date(), release_at: new Date(), facts: [] };
  await put('held_changes', { _id: 'h1', ...SCOPE, ...change, events: [{ id: EVENT, before: {}, after: {} }] });
  const words = { subject: 'canary', body: 'canary', translations: null };
  const { id: __, ...message } = { ...aSchoolMessage(), ...words };
  await put('messages', { _id: 'm1', ...message });
  await put('saved_texts', { _id: 't1', ...SCOPE, name: 'canary', ...words, updated_at: new Date() });
  const calendar = { name: 'canary', url: 'https://canary.example/', entries: [], due_at: new Date(0) };
  await put('outside_calendars', { _id: 'c1', ...SCOPE, ...calendar, timezone: 'UTC', read_at: null, problem: null });
  const subscribed = { url: 'https://canary.example/', types: ['event.published'], description: 'canary' };
  await put('webhooks', { _id: 'w1', ...SCOPE, ...subscribed, enabled: true, secrets: [], created_at: new Date() });
  const attempt = { webhook_id: 'w1', fact_id: 'f1', event_id: EVENT, type: 'event.published', status: 'failed' };
  const tried = { body: 'canary', tries: [], fence: 1, failures: 1, user_id: null };
  await put('webhook_attempts', {
    _id: 'a1',
    ...SCOPE,
    ...attempt,
    ...tried,
    created_at: new Date(),
    due_at: new Date(),
  });
  const text = { title: 'canary', body: 'canary', settled_at: new Date() };
  await put('deliveries', { _id: 'i1', ...delivery, channel: 'in_app', status: 'sent', ...text });
  const who = { ...mine, roles: ['parent'], permissions: ['events.view'] } as const;
  await ask({ ...who }, 'PUT', '/api/v1/me/preferences', { payload: { opted_out: [] } });
  await ask({ ...who }, 'POST', '/api/v1/me/feed');
  await put('push_subscriptions', { _id: 'p1', ...mine, endpoint: 'https://fcm.googleapis.com/canary', keys: {} });
}
