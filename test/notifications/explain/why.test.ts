import { describe, expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { type DeferralCause, REASONS, type Reason } from '../../../src/notifications/delivery.ts';
import { decisionInWords, reasonInWords } from '../../../src/notifications/explain/why-words.ts';
import { reasonForNoMessage } from '../../../src/notifications/policy/no-message.ts';
import { triggerOf } from '../../../src/notifications/policy/trigger.ts';
import type { Fact } from '../../../src/outbox/fact.ts';
import { type Contact, LOCALES, type Locale } from '../../../src/people/contact.ts';
import type { School } from '../../../src/people/school.ts';
import type { Registration } from '../../../src/registrations/registration.ts';
import { aContact, anEvent, aRegistration, aSchool, at } from '../../support/builders.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

const anna = { user_id: 'anna', name: 'Anna' };

describe('the text for a delivery', () => {
  const mother = { user_id: 'mother', name: 'Mother', status: 'sent' as const };
  test.each([
    [aDelivery({ status: 'sent' }), 'sent'],
    [aDelivery({ status: 'skipped', reason: 'opted_out' }), 'not sent: turned off by the recipient'],
    [
      aDelivery({ status: 'failed', reason: 'bad_address' }),
      'could not be delivered: the address or phone number does not exist',
    ],
    [aDelivery({ status: 'sent', detail: 'complaint' }), 'sent; marked as spam by the recipient'],
    [aDelivery({ status: 'sent', detail: 'in_digest d1' }), 'sent, in one message with others'],
    [
      aDelivery({ ...mother, on_behalf_of: [{ user_id: 'eva', name: 'Eva' }] }),
      'sent (recipient: Mother), on this person’s behalf',
    ],
    [
      aDelivery({ ...mother, also: [{ user_id: 'eva', name: 'Eva', on_behalf_of: [anna] }] }),
      'sent (recipient: Mother), to a shared address',
    ],
  ])('%#: %s', (row, words) => {
    expect(decisionInWords(row, 'eva', 'en')).toBe(words);
  });

  test('says what defers a message, and until when on the recipient’s clock', () => {
    const until = at('2026-10-26T06:00Z');
    const held = { status: 'waiting' as const, held_until: until, due_at: until, timezone: 'Europe/Prague' };
    const words = (held_for: DeferralCause, locale: Locale) =>
      decisionInWords(aDelivery({ ...held, held_for }), 'eva', locale);
    expect(words('quiet_hours', 'en')).toBe('waiting for the end of quiet hours: Mon 26 Oct, 07:00');
    expect(words('term_calendar', 'en')).toBe('waiting for the end of the school holidays: Mon 26 Oct, 07:00');
    expect(words('term_calendar', 'cs')).toBe('čeká na konec prázdnin: Po 26. 10. 07:00');
    expect(words('quiet_hours', 'cs')).toBe('čeká na konec hodin klidu: Po 26. 10. 07:00');
  });

  test('says when a waiting message is due, and what the provider answered', () => {
    const due_at = at('2026-10-26T06:00Z');
    const words = (detail: string | null, locale: Locale) =>
      decisionInWords(aDelivery({ status: 'waiting', due_at, detail, timezone: 'Europe/Prague' }), 'eva', locale);
    const answer = 'waiting to be sent: Mon 26 Oct, 07:00; last answer of the provider: smtp 535 5.7.8';
    expect(words('smtp 535 5.7.8', 'en')).toBe(answer);
    expect(words('the last change of the event can be undone', 'en')).toBe('waiting to be sent: Mon 26 Oct, 07:00');
    expect(words(null, 'cs')).toBe('čeká na odeslání: Po 26. 10. 07:00');
  });

  test('is in Czech for those who read Czech', () => {
    expect(
      decisionInWords(aDelivery({ ...mother, on_behalf_of: [{ user_id: 'eva', name: 'Eva' }] }), 'eva', 'cs'),
    ).toBe('odesláno (příjemce: Mother), za tuto osobu');
  });

  test.each(LOCALES)('ends each status with a reason that continues the sentence: %s', (locale) => {
    for (const reason of Object.keys(REASONS) as Reason[])
      expect(reasonInWords(reason, locale)).toMatch(/^(SMS|[a-zá-ž]).+[^.]$/);
  });
});

type Case = {
  fact?: Fact;
  event?: Partial<SchoolEvent>;
  contact?: Partial<Contact> | null;
  children?: Contact[];
  registrations?: Registration[];
  rows?: { registration_ids: string[] }[];
  channels?: School['channels'];
  isRemoved?: boolean;
  isWithdrawn?: boolean;
};

function reasonOf({ fact = aFact('event.published'), event = {}, contact = {}, children = [], ...more }: Case) {
  const trigger = triggerOf(fact) ?? 'registration.cancelled';
  return reasonForNoMessage({
    fact,
    trigger,
    event: anEvent(event),
    school: aSchool(more.channels ? { channels: more.channels } : {}),
    contact: contact && aContact('eva', { class_ids: ['5a'], ...contact }),
    children,
    registrations: more.registrations ?? [],
    rows: (more.rows ?? []).map((row) => ({ channel: 'email', ...row })),
    isRemoved: more.isRemoved ?? false,
    isWithdrawn: more.isWithdrawn ?? false,
  });
}

/** The facts are of 08:00 on 1 September. */
const LATER = at('2026-09-01T09:00:00Z');
const EARLIER = at('2026-08-01T09:00:00Z');
const cancelled = aFact('event.cancelled');
const row = (more: Partial<Registration>) => [aRegistration({ created_at: EARLIER, confirmed_at: EARLIER, ...more })];

describe('without a delivery, the reason', () => {
  test.each<[string, Case, string]>([
    ['who is not in the directory', { contact: null }, 'not_in_directory'],
    ['who has left the school', { contact: { left_at: EARLIER } }, 'left_school'],
    ['of another role', { event: { target_audience: ['staff'] } }, 'other_audience'],
    ['of another class', { event: { class_id: '6b' } }, 'other_class'],
    [
      'of the audience of an event that was unpublished at once',
      { event: { status: 'draft' }, isWithdrawn: true },
      'unpublished_before',
    ],
    [
      'who may not see an event that was unpublished at once',
      { event: { status: 'draft', visibility: 'staff_only' }, isWithdrawn: true },
      'may_not_see',
    ],
    [
      'who came to the directory before an event became a draft again',
      { event: { status: 'draft' }, contact: { updated_at: LATER } },
      'entered_later',
    ],
    [
      'who registered after a reminder was missed',
      {
        fact: aFact('reminder.due', { missed: 'past_due' }),
        registrations: [aRegistration({ created_at: LATER })],
      },
      'past_due',
    ],
    ['who confirmed before a reminder to', { fact: aFact('acknowledgement.reminded') }, 'confirmed_before'],
    [
      'of another class, for a reminder to confirm',
      { fact: aFact('acknowledgement.reminded'), event: { class_id: '6b' } },
      'other_class',
    ],
    [
      'whose registration news was not sent',
      { fact: aFact('registration.confirmed'), registrations: row({ status: 'cancelled' }) },
      'not_decided',
    ],
    ['of another grade', { event: { grade_level_ids: ['g7'] } }, 'other_class'],
    ['who may not see the event', { event: { visibility: 'staff_only' } }, 'may_not_see'],
    ['who was added to the directory later', { contact: { updated_at: LATER } }, 'entered_later'],
    ['of the audience', {}, 'not_decided'],
    [
      'a parent by a child of the class',
      {
        contact: { roles: ['parent'], class_ids: [] },
        children: [aContact('anna', { class_ids: ['6b'] })],
        event: { class_id: '6b' },
      },
      'not_decided',
    ],
    ['who cancelled their own registration', { fact: aFact('registration.cancelled') }, 'own_cancellation'],
    [
      'whose registration staff cancelled',
      { fact: aFact('registration.cancelled', { by_staff: true }) },
      'not_decided',
    ],
    ['of another class, once messages are removed', { event: { class_id: '6b' }, isRemoved: true }, 'messages_deleted'],
    ['of a school that sends no announcements', { channels: { 'event.published': [] } }, 'no_channel'],
    ['who never registered', { fact: cancelled, event: { registration_type: 'optional' } }, 'never_registered'],
    ['whom no announcement of an event without registration reached', { fact: cancelled }, 'not_announced'],
    [
      'whom another channel notified without a registration',
      { fact: cancelled, event: { registration_type: 'optional' }, rows: [{ registration_ids: [] }] },
      'not_announced',
    ],
    [
      'to whom another channel wrote about the registration of a child',
      { fact: cancelled, event: { registration_type: 'optional' }, rows: [{ registration_ids: ['r1'] }] },
      'never_registered',
    ],
    ['who holds no place in an event that is being revised', { fact: aFact('event.unpublished') }, 'never_registered'],
    ['who registered later', { fact: cancelled, registrations: row({ created_at: LATER }) }, 'registered_later'],
    [
      'who had cancelled before',
      { fact: cancelled, registrations: row({ status: 'cancelled', cancelled_at: EARLIER }) },
      'left_before',
    ],
    [
      'who cancelled before the message was prepared',
      { fact: cancelled, registrations: row({ status: 'cancelled', cancelled_at: LATER }) },
      'left_before',
    ],
    [
      'who is on the waitlist, for a reminder',
      { fact: aFact('reminder.due'), registrations: row({ status: 'waitlisted', confirmed_at: null }) },
      'not_confirmed',
    ],
    [
      'who was confirmed after a reminder',
      { fact: aFact('reminder.due'), registrations: row({ confirmed_at: LATER }) },
      'not_confirmed',
    ],
    [
      'one of whose registrations was confirmed, for a reminder',
      { fact: aFact('reminder.due'), registrations: [...row({ confirmed_at: null }), ...row({})] },
      'not_decided',
    ],
    [
      'who is on the waitlist of a cancelled event',
      { fact: cancelled, registrations: row({ status: 'waitlisted', confirmed_at: null }) },
      'not_decided',
    ],
    [
      'who knows only the restored time',
      { fact: aFact('event.changed', { told_since: LATER }), registrations: row({}) },
      'undone_before',
    ],
    [
      'who got no message meant for other registrations',
      { fact: aFact('message.requested'), registrations: row({}) },
      'other_registrations',
    ],
  ])('for a person %s', (_who, given, expected) => {
    expect(reasonOf(given)).toBe(expected);
  });
});
