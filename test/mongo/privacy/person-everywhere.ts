import type { CollectionName } from '../../../src/mongo/collections.ts';
import { eventRowOf } from '../../../src/mongo/events/event-row.ts';
import { deliveryRowOf } from '../../../src/mongo/notifications/delivery-row.ts';
import { rowOf } from '../../../src/mongo/rows.ts';
import { aContact, anEvent, SCOPE } from '../../support/builders.ts';
import { aDelivery, aFact, aSchoolMessage } from '../../support/message-builders.ts';
import { registrationsOf } from './person-registrations.ts';

/** Every text about the person contains this word, and so does every hash of an address. */
export const CANARY = 'canary';

export type Docs = Partial<Record<CollectionName, object[]>>;

/** Documents that name the person in every role, and documents of other people. */
export function personEverywhere(user_id: string, scope = SCOPE): Docs {
  const suffix = scope.tenant_id === 't1' && scope.school_id === 's1' ? '' : `-${scope.tenant_id}-${scope.school_id}`;
  // The directory has the address; anybody may give the second one with a registration.
  const email = `Canary${suffix}@people.example`;
  const phone = `+420601canary${suffix}`;
  const given = { email: `canary-2${suffix}@people.example`, phone: '+420602canary' };
  const id = (name: string) => `${name}${suffix}`;
  const event_id = id('event-1');
  const own = { ...scope, user_id };
  const delivery = (name: string, more: Parameters<typeof aDelivery>[0]) => ({
    ...deliveryRowOf(aDelivery({ ...scope, event_id, user_id: 'mother', name: 'Mother', id: id(name), ...more })),
  });
  const person = { user_id, name: 'Quirin canary' };
  const child = { user_id: 'child', name: 'Concert' };
  const slots = { length_minutes: 10, hosts: [person, { user_id: 'mother', name: 'Mother' }] };
  const words = { title: 'internal', description: 'published', tags: ['student'], categories: ['true'] };
  const event = {
    ...scope,
    ...words,
    created_by: 'author',
    visibility: 'internal' as const,
    class_id: 'email',
    department_id: 't1',
  };
  const reply = (name: string, body: unknown) => ({
    _id: id(name),
    ...scope,
    request: 'r',
    mark: 'm',
    reply: { status: 200, headers: {}, body: JSON.stringify(body) },
  });
  return {
    events: [
      eventRowOf(
        anEvent({
          ...event,
          id: event_id,
          organizer_id: user_id,
          organizer: { type: 'staff', name: 'Quirin canary', email },
          created_by: user_id,
          restricted_to: { user_ids: [user_id, 'mother'], class_ids: ['email'] },
          slots,
          origin: { external_id: 'x1', source: user_id, mark: '1' },
        }),
      ),
      eventRowOf(
        anEvent({ ...event, id: id('event-2'), visibility: 'restricted', restricted_to: { user_ids: [user_id] } }),
      ),
      eventRowOf(anEvent({ ...event, id: id('event-3'), organizer_id: 'other', location_name: 'Concert' })),
      eventRowOf(anEvent({ ...event, id: id('event-4'), deleted_at: new Date(0) })),
      eventRowOf(anEvent({ ...event, id: id('event-5'), status: 'completed' })),
    ],
    event_templates: [
      {
        _id: id('template'),
        ...scope,
        ...words,
        name: 'published',
        organizer_id: user_id,
        organizer: { type: 'staff', name: 'Quirin canary', email },
        restricted_to: { user_ids: [user_id, 'mother'], class_ids: ['email'] },
        slots,
      },
    ],
    held_changes: [
      {
        _id: id('held'),
        ...scope,
        state: 'held',
        facts: [aFact('event.cancelled', { reason: 'true' }, { ...scope, event_id, actor: { user_id } })],
      },
    ],
    facts: [
      {
        _id: id('f-actor'),
        ...aFact('event.cancelled', { reason: 'true' }, { ...scope, event_id, actor: { user_id } }),
      },
      {
        _id: id('f-data'),
        ...aFact('registration.cancelled', { user_id, reason: 'canary left' }, { ...scope, event_id, actor: 'system' }),
      },
      {
        _id: id('f-answer'),
        ...aFact(
          'message.answered',
          { sid: id('sid'), user_id, name: 'Canary', email: 'canary@home.example', text: 'canary sings' },
          { ...scope, event_id, actor: 'system' },
        ),
      },
      {
        _id: id('f-reveal'),
        ...aFact('delivery.revealed', { delivery_id: id('canary-delivery') }, { ...scope, event_id, actor: 'system' }),
      },
      {
        _id: id('f-other'),
        ...aFact('event.edited', { fields: ['title'] }, { ...scope, event_id, actor: { user_id: 'x' } }),
      },
    ].map(({ id: _, ...fact }: { id?: string; _id: string }) => fact),
    view_starts: [
      { _id: id('view-as'), ...scope, by: 'other', role: null, user_id, at: new Date() },
      { _id: id('view-by'), ...scope, by: user_id, role: null, user_id: 'other', at: new Date() },
    ],
    acknowledgements: [
      { _id: id('read-own'), ...scope, event_id, user_id, by: 'other', note: 'Quirin canary answered' },
      { _id: id('read-child'), ...scope, event_id, user_id: 'other', by: user_id, note: null },
    ],
    messages: [
      rowOf(
        aSchoolMessage({
          ...scope,
          id: id('message-1'),
          created_by: user_id,
          reply_to: { name: 'Quirin canary', email },
        }),
      ),
      rowOf(aSchoolMessage({ ...scope, id: id('message-2'), created_by: 'other' })),
    ],
    registrations: registrationsOf(user_id, { scope, id, event_id, email, phone, given }),
    deliveries: [
      {
        ...delivery('canary-delivery', {
          ...person,
          address: given.email,
          status: 'failed',
          provider_id: 'canary-sid',
          claim: 'canary-claim',
          detail: 'in_digest canary',
          digest_key: 'canary-key',
          digest_id: 'canary-digest',
          title: 'To canary',
          body: 'canary',
        }),
        digest_ids: ['canary-digest'],
      },
      {
        ...delivery('d-behalf', { channel: 'in_app', title: 'For canary', on_behalf_of: [child, person] }),
        seen_at: new Date(),
      },
      delivery('i-other', { channel: 'in_app', title: 'internal', body: 'true' }),
      delivery('d-also', {
        also: [
          { ...person, on_behalf_of: [child] },
          { ...child, on_behalf_of: [] },
        ],
      }),
      delivery('d-also-behalf', {
        also: [
          { ...child, on_behalf_of: [] },
          { user_id: 'x', name: 'X', on_behalf_of: [child, person] },
        ],
      }),
      delivery('d-given', {
        given_by: user_id,
        address: 'stranger@people.example',
        address_owners: [user_id, 'other'],
      }),
      delivery('d-address', { address: email, status: 'waiting' }),
      delivery('d-other', { status: 'waiting' }),
    ],
    contacts: [
      {
        _id: id('c-own'),
        ...aContact(user_id, { ...scope, name: 'Quirin canary', email, phone }),
        words: ['canary'],
        addresses: [email, phone],
      },
      { _id: id('c-child'), ...aContact('child', { ...scope, name: 'Concert', guardians: [user_id, 'mother'] }) },
    ],
    feeds: [
      { _id: id('feed-own'), ...own, digest: id('canary-digest'), children: [] },
      { _id: id('feed-mother'), ...scope, user_id: 'mother', digest: id('digest'), children: [user_id, 'child'] },
    ],
    preferences: [
      { _id: id('p-own'), ...own, opted_out: ['*:sms'] },
      { _id: id('p-other'), ...scope, user_id: 'other', opted_out: [`*:${user_id}`] },
    ],
    push_subscriptions: [
      {
        _id: id('push-own'),
        ...own,
        keys: { auth: 'a', p256dh: 'p' },
        endpoint: `https://push.example/canary${suffix}`,
      },
      { _id: id('push-other'), ...scope, user_id: 'other', endpoint: `https://push.example/other${suffix}` },
    ],
    webhook_attempts: [
      { _id: id('a-own'), ...own, webhook_id: 'w1', fact_id: id('f-own'), event_id, body: `{"user_id":"${CANARY}"}` },
      {
        _id: id('a-other'),
        ...scope,
        user_id: 'other',
        webhook_id: 'w1',
        fact_id: id('f-other'),
        event_id,
        body: '{}',
      },
    ],
    signals: [
      { _id: id('s-marked'), at: new Date(), marked: { ...own, mark: 'read', id: null } },
      { _id: id('s-arrived'), at: new Date(), arrived: [{ ...own, id: 'i' }] },
      { _id: id('s-other'), at: new Date(), arrived: [{ ...scope, user_id: 'other', id: 'i' }] },
    ],
    suppressions: [
      { _id: id('canary-suppression'), ...scope, schools: [scope.school_id], address: email.toLowerCase() },
      { _id: id('other-suppression'), ...scope, channel: 'email', address: `other${suffix}@people.example` },
    ],
    replies: [
      reply('reply-own', { data: [{ user_id, name: 'Quirin canary' }] }),
      reply('reply-list', { restricted_to: { user_ids: ['mother', user_id] } }),
      reply('reply-other', { user_id: 'other', title: user_id, visibility: user_id, ids: [user_id] }),
      { ...reply('reply-text', {}), reply: { status: 200, headers: {}, body: `not JSON ${JSON.stringify(user_id)}` } },
    ],
    ingested: [
      { _id: id('in-1'), ...scope, event_id, item_id: 'x', type: 'event.edited', mark: '1', source: user_id },
      { _id: id('in-2'), ...scope, event_id, item_id: 'y', type: 'event.edited', mark: '2', source: 'other' },
    ],
    reminders: [{ _id: id('rem-1'), ...scope, event_id, type: 'email', status: 'planned' }],
    schools: [{ _id: id('school'), ...scope, name: 'internal', sender_name: 'true', timezone: 'UTC' }],
    marks: [{ _id: id('mark'), value: user_id }],
  };
}
