import { describe, expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { addressees, isSilenced } from '../../../src/notifications/policy/gate.ts';
import { ALL_TRIGGERS } from '../../../src/notifications/policy/trigger.ts';
import { ruleOf, type Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import type { Actor } from '../../../src/people/caller.ts';
import { CHANNELS } from '../../../src/people/channels.ts';
import { anEvent, aRegistration, at, NOW } from '../../support/builders.ts';
import { aFact } from '../../support/message-builders.ts';
import { preferring } from './drafting.ts';
import { aMessage, REGISTERED, reason } from './gate-message.ts';

describe('registration_ended', () => {
  const of = (trigger: Trigger, status: 'pending' | 'confirmed' | 'waitlisted' | 'cancelled') =>
    reason(aMessage(trigger, {}, { registrations: [aRegistration({ status })] }));

  test.each(['event.cancelled', 'event.postponed', 'event.changed'] as const)(
    '%s is for pending, confirmed and waitlisted',
    (trigger) => {
      expect(of(trigger, 'pending')).toBeNull();
      expect(of(trigger, 'confirmed')).toBeNull();
      expect(of(trigger, 'waitlisted')).toBeNull();
      expect(of(trigger, 'cancelled')).toBe('registration_ended');
    },
  );

  test.each(['reminder.due', 'event.starting'] as const)('%s is for the confirmed only', (trigger) => {
    expect(of(trigger, 'confirmed')).toBeNull();
    expect(of(trigger, 'pending')).toBe('registration_ended');
    expect(of(trigger, 'waitlisted')).toBe('registration_ended');
    expect(of(trigger, 'cancelled')).toBe('registration_ended');
  });

  test('of one child does not stop a message for the other', () => {
    const registrations = [aRegistration({ status: 'cancelled' }), aRegistration()];
    expect(reason(aMessage('event.cancelled', {}, { registrations }))).toBeNull();
  });

  test.each(REGISTERED)('%s stops if the registration was deleted', (trigger) => {
    expect(reason(aMessage(trigger, {}, { registrations: [] }))).toBe('registration_ended');
  });
});

describe('told_before and never_told', () => {
  const some = new Set(['eva']);

  test('an announcement stops for those who know the same date and place', () => {
    expect(reason(aMessage('event.published', {}, { notified: some }))).toBe('told_before');
    expect(reason(aMessage('event.published', {}, { notified: some }, { user_id: 'jan' }))).toBeNull();
  });

  test('a correction stops for those whom no announcement reached, unless they are registered', () => {
    const unregistered = { registration_ids: [] };
    expect(reason(aMessage('event.cancelled', {}, { neverNotified: some }, unregistered))).toBe('never_told');
    expect(reason(aMessage('event.cancelled', {}, {}, unregistered))).toBeNull();
    expect(reason(aMessage('event.cancelled', {}, { neverNotified: some }))).toBeNull();
  });
});

describe('notifications_off', () => {
  test.each(ALL_TRIGGERS)('%s stops for an inactive event', (trigger) => {
    expect(reason(aMessage(trigger, { is_active: false }))).toBe('notifications_off');
  });

  const automatic = ALL_TRIGGERS.filter(
    (trigger) => !trigger.startsWith('message') && trigger !== 'acknowledgement.due',
  );
  test.each(automatic)('%s stops if notifications are off for the event', (trigger) => {
    expect(reason(aMessage(trigger, { send_notifications: false }))).toBe('notifications_off');
  });

  test.each(['message', 'message.answered'] as const)('%s of a person is still sent', (trigger) => {
    expect(reason(aMessage(trigger, { send_notifications: false }))).toBeNull();
  });

  test.each([
    [true, null, false],
    [false, null, true],
    [true, true, false],
    [false, true, false],
    [true, false, true],
    [false, false, true],
  ])('send_notifications %s, notify %s: silenced %s', (send_notifications, notify, silenced) => {
    const event = anEvent({ send_notifications });
    expect(isSilenced(event, aFact('event.cancelled', { notify }))).toBe(silenced);
    expect(isSilenced(event, aFact('event.postponed', { notify }))).toBe(silenced);
    expect(isSilenced(event, aFact('event.changed', notify === null ? {} : { notify }))).toBe(silenced);
  });

  test('notify overrides the switch for its own notice only', () => {
    const fact = aFact('event.cancelled', { notify: true });
    const off = { send_notifications: false };
    expect(reason(aMessage('event.cancelled', off, { fact }))).toBeNull();
    expect(isSilenced(anEvent(off), aFact('event.published'))).toBe(true);
  });
});

describe('opted_out', () => {
  const wished = (trigger: Trigger, channel: Delivery['channel'], opted_out = ['*:*']) =>
    reason(aMessage(trigger, {}, preferring({ eva: { opted_out } }), { channel }));

  test.each(ALL_TRIGGERS.flatMap((trigger) => CHANNELS.map((channel) => [trigger, channel] as const)))(
    '%s by %s, unless it can’t be opted out of',
    (trigger, channel) => {
      expect(wished(trigger, channel)).toBe(ruleOf(trigger).mandatory.includes(channel) ? null : 'opted_out');
    },
  );

  test('applies only to the chosen trigger and channel', () => {
    expect(wished('event.published', 'email', ['event.published:sms', 'reminder.due:email'])).toBeNull();
    expect(wished('event.published', 'email', ['event.published:email'])).toBe('opted_out');
  });
});

test('a message stops for a number that replied STOP', () => {
  const stopped = new Set(['+420601000001']);
  const to = (address: string) => reason(aMessage('event.changed', {}, { stopped }, { channel: 'sms', address }));
  expect([to('+420601000001'), to('+420601000002')]).toEqual(['opted_out', null]);
});

describe('an unverified address that the directory has for another person', () => {
  const toOwners = (trigger: Trigger, opted_out: string[], channel: Delivery['channel'] = 'email') => {
    const row = { channel, given_by: 'eva', address_owners: ['ida', 'jan'] };
    return reason(aMessage(trigger, {}, preferring({ jan: { opted_out } }), row));
  };

  test('gets no message that one of its owners has turned off', () => {
    expect(toOwners('registration.confirmed', ['registration.confirmed:email'])).toBe('opted_out');
    expect(toOwners('message', ['*:sms'], 'sms')).toBe('opted_out');
    expect(toOwners('registration.confirmed', ['event.published:email', '*:sms'])).toBeNull();
  });

  test('gets messages that cannot be turned off', () => {
    expect(toOwners('event.cancelled', ['*:*'])).toBeNull();
    expect(toOwners('event.cancelled', ['*:*'], 'sms')).toBe('opted_out');
  });
});

describe('suppressed', () => {
  test.each(ALL_TRIGGERS)('%s stops for a suppressed address', (trigger) => {
    const suppressed = new Set(['eva@people.example']);
    expect(reason(aMessage(trigger, {}, { suppressed }))).toBe('suppressed');
    expect(reason(aMessage(trigger, {}, { suppressed }, { address: ' EVA@People.Example ' }))).toBe('suppressed');
    expect(reason(aMessage(trigger, {}, { suppressed }, { address: 'eva@other.example' }))).toBeNull();
    expect(reason(aMessage(trigger, {}, { suppressed }, { channel: 'push', address: null }))).toBeNull();
  });
});

describe('not_visible', () => {
  const hidden = (unseen: string[], row: Partial<Delivery> = {}) =>
    reason(aMessage('event.published', {}, { lostVisibility: new Set(unseen) }, row));
  const anna = { user_id: 'anna', name: 'Anna' };

  test('an announcement stops if the event was hidden from this person', () => {
    expect(hidden(['eva'])).toBe('not_visible');
    expect(hidden(['anna'])).toBeNull();
    expect(hidden([])).toBeNull();
  });

  test('the visibility for the child decides about a guardian', () => {
    expect(hidden(['eva'], { on_behalf_of: [anna] })).toBeNull();
    expect(hidden(['anna'], { on_behalf_of: [anna] })).toBe('not_visible');
  });

  test('a message is sent while one child or one reader may see the event', () => {
    const jan = { user_id: 'jan', name: 'Jan' };
    expect(hidden(['anna'], { on_behalf_of: [anna, jan] })).toBeNull();
    const also = [{ ...jan, on_behalf_of: [] }];
    expect(hidden(['eva'], { also })).toBeNull();
    const { delivery, now } = aMessage('event.published', {}, { lostVisibility: new Set(['eva']) }, { also });
    expect(addressees(delivery, now)).toEqual(also);
  });
});

describe('left_school', () => {
  const eva = { user_id: 'eva', name: 'Eva' };
  const ida = { user_id: 'ida', name: 'Ida' };
  const jan = { user_id: 'jan', name: 'Jan', on_behalf_of: [] };
  const withLeft = (left: string[], row: Partial<Delivery> = {}) =>
    reason(aMessage('event.published', {}, { left: new Set(left) }, { ...eva, ...row }));

  test.each(ALL_TRIGGERS)('%s stops if its reader has left', (trigger) => {
    expect(reason(aMessage(trigger, {}, { left: new Set(['eva']) }))).toBe('left_school');
  });

  test('a message to a guardian stops when the last of the children that it concerns has left', () => {
    expect(withLeft(['ida'], { on_behalf_of: [ida, jan] })).toBeNull();
    expect(withLeft(['ida', 'jan'], { on_behalf_of: [ida, jan] })).toBe('left_school');
    expect(withLeft(['eva'], { on_behalf_of: [ida] })).toBe('left_school');
    const { delivery, now } = aMessage('event.published', {}, { left: new Set(['ida']) }, { on_behalf_of: [ida, jan] });
    expect(addressees(delivery, now)).toMatchObject([{ on_behalf_of: [{ user_id: 'jan' }] }]);
  });

  test('a message to a shared address is sent while one of its readers is at the school', () => {
    expect(withLeft(['eva'], { also: [jan] })).toBeNull();
    expect(withLeft(['eva', 'jan'], { also: [jan] })).toBe('left_school');
    const { delivery, now } = aMessage('event.published', {}, { left: new Set(['eva']) }, { ...eva, also: [jan] });
    expect(addressees(delivery, now)).toEqual([jan]);
  });
});

describe('not_guardian', () => {
  const [ida, jan] = [
    { user_id: 'ida', name: 'Ida' },
    { user_id: 'jan', name: 'Jan' },
  ];
  const withGuardians = (guardians: Record<string, string[]>, on_behalf_of = [ida, jan]) =>
    aMessage(
      'event.published',
      {},
      { guardians: new Map(Object.entries(guardians)) },
      { user_id: 'eva', on_behalf_of },
    );

  test('a message stops if its reader is a guardian of none of the children any more', () => {
    expect(reason(withGuardians({ ida: ['eva'], jan: [] }))).toBeNull();
    expect(reason(withGuardians({ ida: ['karl'], jan: [] }))).toBe('not_guardian');
    expect(reason(withGuardians({}))).toBe('not_guardian');
  });

  test('a message names only the children whose guardian its reader still is', () => {
    const { delivery, now } = withGuardians({ ida: ['karl'], jan: ['eva', 'karl'] });
    expect(addressees(delivery, now)).toMatchObject([{ user_id: 'eva', on_behalf_of: [jan] }]);
  });

  test('a message that concerns its reader too goes on', () => {
    const self = { user_id: 'eva', name: 'Eva' };
    const { delivery, now } = withGuardians({ ida: [] }, [self, ida]);
    expect(addressees(delivery, now)).toMatchObject([{ on_behalf_of: [self] }]);
  });
});

describe('a reminder to confirm', () => {
  const acknowledgement_reminder = { after_hours: 24, channels: ['email' as const] };
  const child = { user_id: 'ida', name: 'Ida' };
  const sibling = { user_id: 'jan', name: 'Jan' };
  const toMother = { user_id: 'eva', on_behalf_of: [child, sibling], registration_ids: [] };
  const stopped = (acknowledged: string[], event = {}) =>
    reason(aMessage('acknowledgement.due', event, { acknowledged: new Set(acknowledged) }, toMother));

  test('is sent until everyone whom it concerns is confirmed', () => {
    expect(stopped(['eva', 'ida'])).toBe(null);
    expect(stopped(['ida', 'jan'])).toBe('acknowledged');
    const also = [{ user_id: 'karl', name: 'Karl', on_behalf_of: [] }];
    const state = { acknowledged: new Set(['ida', 'jan']) };
    expect(reason(aMessage('acknowledgement.due', {}, state, { ...toMother, also }))).toBe(null);
  });

  test('is not sent if the event asks for nothing any more', () => {
    expect(stopped([], { asks_acknowledgement: false })).toBe('acknowledged');
  });

  test('is sent although notifications are off if a person sends it, and not if the clock does', () => {
    const by = (actor: Actor) =>
      reason(
        aMessage(
          'acknowledgement.due',
          { send_notifications: false, acknowledgement_reminder },
          { fact: aFact('acknowledgement.reminded', {}, { actor }), acknowledged: new Set() },
          toMother,
        ),
      );
    expect(by({ user_id: 'office' })).toBe(null);
    expect(by('system')).toBe('notifications_off');
  });

  test('is not sent once the event has begun or has no such rule any more, unless a person sends it', () => {
    const by = (actor: Actor, event: Partial<SchoolEvent>, now = NOW) => {
      const fact = aFact('acknowledgement.reminded', {}, { actor });
      const state = { fact, at: now, acknowledged: new Set<string>() };
      return reason(aMessage('acknowledgement.due', { acknowledgement_reminder, ...event }, state, toMother));
    };
    const start = at('2026-10-16T18:00:00Z');
    expect([by('system', {}), by('system', {}, start)]).toEqual([null, 'expired']);
    expect(by('system', { status: 'in_progress' })).toBe('expired');
    expect(by('system', { acknowledgement_reminder: null })).toBe('reminder_removed');
    expect(by({ user_id: 'office' }, { status: 'in_progress', acknowledgement_reminder: null }, start)).toBe(null);
  });
});
