import { describe, expect, test } from 'vitest';
import { CHOOSABLE, channelsOf, chosenChannels, triggerOf } from '../../../src/notifications/policy/trigger.ts';
import { ruleOf, TRIGGERS, type Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import { FACT_VERSION, type Fact, type FactType } from '../../../src/outbox/fact.ts';
import { CHANNELS, type Channel } from '../../../src/people/channels.ts';
import { aFact } from '../../support/message-builders.ts';

/** docs/decisions.md "default channels", "recipients". */
const TABLE: [Trigger, FactType, Channel[], string][] = [
  ['event.published', 'event.published', ['email', 'push', 'in_app'], 'audience'],
  ['event.cancelled', 'event.cancelled', ['email', 'sms', 'push', 'in_app'], 'registered'],
  ['event.postponed', 'event.postponed', ['email', 'sms', 'push', 'in_app'], 'registered'],
  ['event.changed', 'event.changed', ['email', 'sms', 'push', 'in_app'], 'registered'],
  ['event.unpublished', 'event.unpublished', ['email', 'sms', 'push', 'in_app'], 'registered'],
  ['registration.pending', 'registration.pending', ['email', 'in_app'], 'registrant'],
  ['registration.waitlisted', 'registration.waitlisted', ['email', 'in_app'], 'registrant'],
  ['registration.confirmed', 'registration.confirmed', ['email', 'in_app'], 'registrant'],
  ['registration.refused', 'registration.refused', ['email', 'in_app'], 'registrant'],
  ['event.starting', 'event.started', ['push', 'in_app'], 'confirmed'],
  ['message', 'message.requested', ['email', 'in_app'], 'filtered'],
  ['message.school', 'message.school', ['email', 'in_app'], 'audience'],
  ['message.urgent', 'message.urgent', ['email', 'in_app'], 'audience'],
  ['message.answered', 'message.answered', ['email', 'in_app'], 'organizer'],
  ['acknowledgement.due', 'acknowledgement.reminded', ['email', 'push', 'in_app'], 'unacknowledged'],
];

const channelsFor = (fact: Fact, trigger: Trigger, channels = {}) =>
  channelsOf({ fact, trigger, school: { channels } });

test.each(TABLE)('%s is caused by %s and goes by %j to the %s', (trigger, type, channels, recipients) => {
  expect(triggerOf(aFact(type))).toBe(trigger);
  expect(channelsFor(aFact(type), trigger)).toEqual(channels);
  expect(ruleOf(trigger).recipients).toBe(recipients);
});

test.each(CHANNELS)('a reminder of type %s goes by that channel alone, to the confirmed', (type) => {
  expect(triggerOf(aFact('reminder.due'))).toBe('reminder.due');
  expect(channelsFor(aFact('reminder.due', { type }), 'reminder.due')).toEqual([type]);
  expect(ruleOf('reminder.due').recipients).toBe('confirmed');
});

test.each<FactType>([
  'event.created',
  'event.scheduled',
  'event.returned',
  'event.edited',
  'event.completed',
  'event.deleted',
  'message.withdrawn',
  'registration.cancelled',
])('%s notifies no one', (type) => {
  expect(triggerOf(aFact(type))).toBeNull();
});

test('an answer that is not forwarded notifies no one', () => {
  expect(triggerOf(aFact('message.answered', { forwarded: false }))).toBeNull();
});

test('people who decline or cancel their own registration are not notified', () => {
  for (const data of [{}, { declined: true as const }])
    expect(triggerOf(aFact('registration.cancelled', data))).toBeNull();
});

test('staff notify the person whose registration they decline or cancel', () => {
  expect(triggerOf(aFact('registration.cancelled', { by_staff: true }))).toBe('registration.cancelled');
  expect(triggerOf(aFact('registration.cancelled', { by_staff: true, declined: true }))).toBe('registration.declined');
  expect(channelsFor(aFact('registration.cancelled'), 'registration.cancelled')).toEqual([
    'email',
    'sms',
    'push',
    'in_app',
  ]);
  expect(channelsFor(aFact('registration.cancelled'), 'registration.declined')).toEqual(['email', 'in_app']);
});

/** Urgent messages have queues of their own, ahead of bulk. */
test.each([
  ['event.cancelled', true],
  ['event.postponed', true],
  ['event.unpublished', true],
  ['registration.confirmed', true],
  ['registration.cancelled', true],
  ['registration.refused', true],
  ['registration.pending', false],
  ['registration.waitlisted', false],
  ['event.published', false],
  ['reminder.due', false],
  ['message.school', false],
  ['message.urgent', true],
] as const)('%s is sent before bulk: %s', (trigger, urgent) => {
  expect(ruleOf(trigger).urgent).toBe(urgent);
});

const BAD_NEWS: Trigger[] = ['event.cancelled', 'event.postponed', 'registration.cancelled', 'message.urgent'];
const PLACE_NEWS: Trigger[] = [
  'event.unpublished',
  'registration.pending',
  'registration.waitlisted',
  'registration.confirmed',
  'registration.declined',
  'registration.refused',
];

/** decisions.md: "can't be opted out of in_app and email"; news about one's own place is always in the inbox. */
test.each(Object.keys(TRIGGERS) as Trigger[])('%s can be turned off except on mandatory channels', (trigger) => {
  const always = BAD_NEWS.includes(trigger) ? ['email', 'in_app'] : PLACE_NEWS.includes(trigger) ? ['in_app'] : [];
  expect([...ruleOf(trigger).mandatory].sort()).toEqual(always);
});

describe('a school', () => {
  const by = (trigger: Trigger, type: FactType, chosen: Record<string, string[]>) =>
    channelsFor(aFact(type), trigger, chosen);

  test('may choose channels, in the order of the table', () => {
    expect(by('event.published', 'event.published', { 'event.published': ['in_app', 'sms'] })).toEqual([
      'sms',
      'in_app',
    ]);
    expect(by('event.published', 'event.published', { 'event.starting': ['sms'] })).toEqual([
      'email',
      'push',
      'in_app',
    ]);
    expect(by('event.published', 'event.published', { 'event.published': [] })).toEqual([]);
  });

  // Cancellations and postponements always use e-mail and the inbox.
  test('can’t leave out mandatory channels', () => {
    expect(by('event.cancelled', 'event.cancelled', { 'event.cancelled': [] })).toEqual(['email', 'in_app']);
    expect(by('event.postponed', 'event.postponed', { 'event.postponed': ['sms'] })).toEqual([
      'email',
      'sms',
      'in_app',
    ]);
  });

  test.each(PLACE_NEWS)('may turn %s off, but leave out no mandatory channel of it', (trigger) => {
    expect(chosenChannels(trigger, { [trigger]: [] })).toEqual([]);
    expect(chosenChannels(trigger, { [trigger]: ['sms'] })).toEqual(['sms', 'in_app']);
  });

  test('can’t turn off the cancellation of a registration by staff', () => {
    expect(chosenChannels('registration.cancelled', { 'registration.cancelled': [] })).toEqual(['email', 'in_app']);
  });

  test('can’t change the channel of a reminder or of a staff message', () => {
    const chosen = { 'reminder.due': ['sms'], message: ['sms'] };
    expect(by('reminder.due', 'reminder.due', chosen)).toEqual(['email']);
    expect(by('message', 'message.requested', chosen)).toEqual(['email', 'in_app']);
    expect([...CHOOSABLE].sort()).toEqual(
      [
        'acknowledgement.due',
        'message.answered',
        'event.published',
        'event.cancelled',
        'event.postponed',
        'event.changed',
        'event.starting',
        'registration.cancelled',
        ...PLACE_NEWS,
      ].sort(),
    );
  });
});

// An earlier process takes a fact of its own version that it does not know as one of which no one is notified.
test('the version of facts is raised when people are notified of another type of fact', () => {
  const types = new Set(Object.values(TRIGGERS).map(({ fact }) => fact));
  expect({ version: FACT_VERSION, types: types.size }).toEqual({ version: 8, types: 17 });
});
