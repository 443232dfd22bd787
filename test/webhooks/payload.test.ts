import { expect, test } from 'vitest';
import type { FactType } from '../../src/outbox/fact.ts';
import { isWebhookType, SHOWN_FIELDS, WEBHOOK_TYPES, type WebhookType } from '../../src/outbox/shown-facts.ts';
import { bodyOf } from '../../src/webhooks/deliver.ts';
import { textOf } from '../guards/text-of.ts';
import { anEvent } from '../support/builders.ts';
import { aFact } from '../support/message-builders.ts';

const event = anEvent({
  id: 'event-1',
  title: 'Autumn concert',
  organizer_id: 'karl',
  organizer: { type: 'staff', name: 'Karl Novák', email: 'karl@people.example' },
  restricted_to: { user_ids: ['eva'] },
  location: { name: 'Hall', virtualLink: 'https://meet.example/secret' },
  max_attendees: 50,
  current_attendees: 8,
});

const dataOf = (body: string) => JSON.parse(body).data;

test('a message has type, time, ids and the event as visitors see it', () => {
  const fact = aFact('event.cancelled', { reason: 'Storm' });
  expect(JSON.parse(bodyOf(fact, 'event.cancelled', event))).toMatchObject({
    type: 'event.cancelled',
    timestamp: '2026-09-01T08:00:00.000Z',
    data: {
      event_id: 'event-1',
      reason: 'Storm',
      event: { id: 'event-1', title: 'Autumn concert', location: { name: 'Hall' }, available_spots: 42 },
    },
  });
});

test('a message names neither the organizer, nor who may see the event, nor the meeting link', () => {
  const body = bodyOf(aFact('event.published'), 'event.published', event);
  for (const secret of ['karl', 'Karl', 'eva', 'meet.example']) expect(body).not.toContain(secret);
});

test('a message about a registration names the person by id only', () => {
  const fact = aFact('registration.cancelled', {
    registration_id: 'r1',
    user_id: 'eva',
    reason: 'Eva is ill',
    by_staff: true,
  });
  const { event: _, ...data } = dataOf(bodyOf(fact, 'registration.cancelled', event));
  expect(data).toEqual({ event_id: 'event-1', registration_id: 'r1', user_id: 'eva', by_staff: true });
});

test('a message about an event that has been deleted has no event', () => {
  expect(dataOf(bodyOf(aFact('event.deleted'), 'event.deleted', null))).toEqual({ event_id: 'event-1', event: null });
});

test('every fact about an event or a registration can be chosen, and no other', () => {
  const all = Object.keys(SHOWN_FIELDS) as FactType[];
  expect([...WEBHOOK_TYPES].sort()).toEqual(all.filter((type) => /^(event|registration)\./.test(type)).sort());
});

test.each(WEBHOOK_TYPES)('a message about %s shows texts that everyone sees only', (type: WebhookType) => {
  const body = bodyOf(aFact(type, {}, { event_id: 'event-1' }), type, null);
  expect(isWebhookType(type)).toBe(true);
  const { reason } = dataOf(body);
  expect(reason === undefined || SHOWN_FIELDS[type].all?.includes('reason')).toBe(true);
});

test('the documentation names every field that some types have besides', () => {
  const names = WEBHOOK_TYPES.flatMap((type) => SHOWN_FIELDS[type].webhooks ?? []);
  const text = textOf('docs/api.md').split('## Webhooks')[1] ?? '';
  expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});
