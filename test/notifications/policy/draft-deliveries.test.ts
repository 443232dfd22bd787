import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { mergedRow, oneRowPerKey } from '../../../src/notifications/policy/draft-deliveries.ts';
import type { Fact } from '../../../src/outbox/fact.ts';
import { aContact, anEvent, aSchool, at, NOW } from '../../support/builders.ts';
import { aDelivery, aFact, anOccasion } from '../../support/message-builders.ts';
import { draft, preferring, to } from './drafting.ts';

const ids = (rows: readonly Delivery[]) => rows.map((row) => row.id);
const brief = (rows: readonly Delivery[]) =>
  rows.map(({ user_id, channel, status, reason }) => [user_id, channel, status, reason]);

const CANCELLED = anOccasion(aFact('event.cancelled'));

describe('every recipient has a row', () => {
  test('each person has a row per channel of the trigger', () => {
    expect(brief(draft(CANCELLED, [to('eva'), to('jan')], { hasPush: () => true }))).toEqual([
      ['eva', 'email', 'waiting', null],
      ['eva', 'sms', 'waiting', null],
      ['eva', 'push', 'waiting', null],
      ['eva', 'in_app', 'waiting', null],
      ['jan', 'email', 'waiting', null],
      ['jan', 'sms', 'waiting', null],
      ['jan', 'push', 'waiting', null],
      ['jan', 'in_app', 'waiting', null],
    ]);
  });

  test('records a missing address and still writes to the inbox', () => {
    expect(brief(draft(CANCELLED, [to('eva', { email: null, phone: null }), to('ghost', null)]))).toEqual([
      ['eva', 'email', 'skipped', 'no_contact'],
      ['eva', 'sms', 'skipped', 'no_contact'],
      ['eva', 'push', 'skipped', 'no_contact'],
      ['eva', 'in_app', 'waiting', null],
      ['ghost', 'email', 'skipped', 'no_contact'],
      ['ghost', 'sms', 'skipped', 'no_contact'],
      ['ghost', 'push', 'skipped', 'no_contact'],
      ['ghost', 'in_app', 'waiting', null],
    ]);
  });

  test('sends nothing to a person who has left the school, also not to the inbox', () => {
    const left = to('eva', { left_at: new Date('2026-08-31T00:00:00Z') });
    expect(new Set(brief(draft(CANCELLED, [left])).map(([, , ...outcome]) => outcome.join()))).toEqual(
      new Set(['skipped,left_school']),
    );
  });

  test('records a channel without settings', () => {
    const about = anOccasion(aFact('event.cancelled'), {}, { openChannels: new Set(['in_app', 'push']) });
    expect(brief(draft(about, [to('eva')], { hasPush: () => true }))).toEqual([
      ['eva', 'email', 'skipped', 'channel_off'],
      ['eva', 'sms', 'skipped', 'channel_off'],
      ['eva', 'push', 'waiting', null],
      ['eva', 'in_app', 'waiting', null],
    ]);
  });

  test('stores the version of each date that the message names', () => {
    const fact = aFact('event.published');
    const dates = [7, 8, 9].map((sequence) => ({ event: anEvent({ id: `date-${sequence}`, sequence }), fact }));
    const [row] = draft(anOccasion(fact, { sequence: 7 }, { dates }), [to('eva')]);
    expect(row).toMatchObject({ sequence: 7, other_sequences: { 'date-8': 8, 'date-9': 9 } });
  });

  test('records each person and channel for an event with notifications off', () => {
    const about = anOccasion(aFact('event.published'), { send_notifications: false });
    expect(brief(draft(about, [to('eva')]))).toEqual([
      ['eva', 'email', 'skipped', 'notifications_off'],
      ['eva', 'push', 'skipped', 'notifications_off'],
      ['eva', 'in_app', 'skipped', 'notifications_off'],
    ]);
  });

  test.each([
    [false, true, 'waiting'],
    [true, false, 'skipped'],
  ])('drafts with send_notifications %s and notify %s a delivery that is %s', (send_notifications, notify, status) => {
    const about = anOccasion(aFact('event.cancelled', { notify }), { send_notifications });
    expect(draft(about, [to('eva')])[0]?.status).toBe(status);
  });

  test('leaves it to the gate whether a reminder that is raised ahead is switched off', () => {
    const off = (fact: Fact) => draft(anOccasion(fact, { send_notifications: false }), [to('eva')])[0]?.status;
    const tell_at = at('2026-09-01T08:00:01Z');
    expect(off(aFact('reminder.due', { tell_at }))).toBe('waiting');
    expect(off(aFact('reminder.due', { tell_at: NOW }))).toBe('skipped');
    expect(off(aFact('event.changed', { tell_at }))).toBe('skipped');
  });

  test('records a missed reminder', () => {
    const missed = anOccasion(aFact('reminder.due', { missed: 'past_due' }));
    expect(brief(draft(missed, [to('eva')]))).toEqual([['eva', 'email', 'skipped', 'past_due']]);
  });

  test('records a reminder on a channel that is off', () => {
    const off = anOccasion(aFact('reminder.due'), {}, { openChannels: new Set() });
    expect(brief(draft(off, [to('eva')]))).toEqual([['eva', 'email', 'skipped', 'channel_off']]);
  });

  test('puts every recipient in a row, as reader or as subject', () => {
    const contacts = fc.record({
      email: fc.constantFrom(null, 'shared@people.example', 'own@people.example'),
      phone: fc.constantFrom(null, '+420601000001'),
    });
    const mother = aContact('mother', { roles: ['parent'], email: 'mother@people.example' });
    fc.assert(
      fc.property(fc.array(contacts, { maxLength: 5 }), fc.boolean(), fc.boolean(), (people, guarded, on) => {
        const recipients = people.map((contact, i) => to(`person-${i}`, contact));
        const about = anOccasion(aFact('event.cancelled'), { send_notifications: on });
        const rows = draft(about, recipients, { guardiansOf: () => (guarded ? [mother] : []) });
        for (const { user_id } of recipients) {
          for (const channel of ['email', 'sms', 'push', 'in_app']) {
            const own = rows.filter(
              (row) =>
                row.channel === channel &&
                (row.user_id === user_id || row.on_behalf_of.some((child) => child.user_id === user_id)),
            );
            expect(own.length).toBeGreaterThan(0);
            for (const row of own) expect(row.status === 'skipped').toBe(row.reason !== null);
          }
        }
      }),
    );
  });
});

describe('a row', () => {
  test('has all data for sending and no attempts', () => {
    const about = anOccasion(aFact('event.cancelled', { sequence: 5 }, { id: 'fact-9' }), {
      status: 'cancelled',
      sequence: 5,
      schedule_version: 3,
    });
    const [row] = draft(about, [to('eva', { name: 'Eva', locale: 'en', timezone: 'Asia/Tokyo' })]);
    expect(row).toEqual(
      aDelivery({
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        fact_id: 'fact-9',
        trigger: 'event.cancelled',
        urgent: true,
        timezone: 'Asia/Tokyo',
        registration_ids: ['registration-eva'],
        sequence: 5,
      }),
    );
  });

  test('that is skipped is settled, waits for nothing and has no text', () => {
    const night = preferring({ eva: { quiet_hours: { from: '08:00', to: '09:00' } } });
    const about = (openChannels: ['email'] | []) =>
      anOccasion(aFact('event.published'), {}, { openChannels: new Set(openChannels), textVersion: () => 'v1' });
    const of = (channels: ['email'] | []) => draft(about(channels), [to('eva', { timezone: 'UTC' })], night)[0];
    const held_until = at('2026-09-01T09:00:00Z');
    expect(of(['email'])).toMatchObject({ held_until, template_version: 'v1', settled_at: null });
    expect(of([])).toMatchObject({ held_until: null, template_version: null, settled_at: NOW, due_at: NOW });
  });

  test('has the clock of its reader, else that of the school', () => {
    const about = anOccasion(aFact('event.published'), {}, { school: aSchool({ timezone: 'Europe/Prague' }) });
    const zoneOf = (timezone: string | null) => draft(about, [to('eva', { timezone })])[0]?.timezone;
    expect([zoneOf('Asia/Tokyo'), zoneOf(null)]).toEqual(['Asia/Tokyo', 'Europe/Prague']);
  });

  test('is due at the time that its fact names if it lies ahead, and only a reminder to confirm is retried from then', () => {
    const tell_at = at('2026-09-01T09:00:00Z');
    const dueAt = (fact: Fact, now = NOW) => {
      const [row] = draft(anOccasion(fact), [to('eva')], {}, now);
      return [row?.due_at, row?.redriven_at];
    };
    expect(dueAt(aFact('event.changed', { tell_at }))).toEqual([tell_at, null]);
    const reminded = aFact('acknowledgement.reminded', { tell_at, channels: ['email'] });
    expect(dueAt(reminded)).toEqual([tell_at, tell_at]);
    const later = at('2026-09-01T10:00:00Z');
    expect(dueAt(reminded, later)).toEqual([later, null]);
  });

  test('is due at once if it only confirms a chosen time', () => {
    const about = anOccasion(aFact('registration.confirmed'));
    expect(draft(about, [to('eva', {}, { first_minute: 150 })])[0]?.due_at).toEqual(NOW);
  });

  test('has the person’s own language, else the directory’s, else the school’s', () => {
    const speaking = (locale: 'en' | null) => preferring({ eva: { locale } });
    expect(draft(CANCELLED, [to('eva', { locale: 'cs' })], speaking('en'))[0]?.locale).toBe('en');
    expect(draft(CANCELLED, [to('eva', { locale: 'en' })], speaking(null))[0]?.locale).toBe('en');
    expect(draft(CANCELLED, [to('eva')], speaking(null))[0]?.locale).toBe('cs');
  });

  test('has the schedule version of its fact, not of the current event', () => {
    const moved = { schedule_version: 9 };
    for (const type of ['reminder.due', 'event.started', 'event.postponed', 'event.changed'] as const) {
      const [row] = draft(anOccasion(aFact(type, { schedule_version: 3 }), moved), [to('eva')]);
      expect(row?.schedule_version, type).toBe(3);
    }
  });

  test('expires with its subject', () => {
    const expires = (fact: Fact) => draft(anOccasion(fact), [to('eva')])[0]?.expires_at;
    expect(expires(aFact('reminder.due'))).toEqual(at('2026-10-16T18:00:00Z'));
    expect(expires(aFact('event.started'))).toEqual(at('2026-10-16T18:15:00Z'));
    expect(expires(aFact('event.cancelled'))).toBeNull();
  });

  test('is sent in quiet hours if it reminds of a meeting before their end', () => {
    const night = preferring({ eva: { quiet_hours: { from: '20:15', to: '07:00' } } });
    const about = anOccasion(aFact('reminder.due', { offset: 15 }));
    const [row] = draft(about, [to('eva', { timezone: 'UTC' }, { first_minute: 150 })], night);
    expect(row).toMatchObject({
      due_at: at('2026-10-16T20:15:00Z'),
      expires_at: at('2026-10-16T20:30:00Z'),
      held_until: null,
    });
  });
});

const FACTS = [
  'event.published',
  'event.cancelled',
  'event.postponed',
  'event.changed',
  'registration.confirmed',
  'reminder.due',
  'event.started',
] as const;

describe('keys', () => {
  const PEOPLE = [to('eva'), to('jan', { phone: '+420601000002' }), to('ida', { email: null, phone: null })];

  test.each(FACTS)('of %s are the same in every draft', (type) => {
    const fact = aFact(type);
    const first = ids(draft(anOccasion(fact), PEOPLE, { hasPush: () => true }));
    const later = anOccasion(fact, { version: 99, title: 'Winter concert', updated_at: NOW });
    const again = draft(later, [...PEOPLE].reverse(), { hasPush: () => true }, at('2026-09-02T00:00:00Z'));
    expect(ids(again).sort()).toEqual([...first].sort());
    expect(new Set(first).size).toBe(first.length);
  });

  test.each(FACTS)('of %s do not depend on the rest of the batch', (type) => {
    const occasion = anOccasion(aFact(type));
    const alone = PEOPLE.flatMap((person) => ids(draft(occasion, [person])));
    expect(ids(draft(occasion, PEOPLE))).toEqual(alone);
  });

  const firstId = (fact: Fact, recipient = to('eva')) => draft(anOccasion(fact), [recipient])[0]?.id;

  test.each<[string, Fact, Fact]>([
    ['published again', aFact('event.published'), aFact('event.published', { sequence: 3 })],
    ['postponed again', aFact('event.postponed'), aFact('event.postponed', { sequence: 3 })],
    ['changed again', aFact('event.changed'), aFact('event.changed', { sequence: 3 })],
    ['another reminder', aFact('reminder.due'), aFact('reminder.due', { offset: 15 })],
    ['a reminder of a moved event', aFact('reminder.due'), aFact('reminder.due', { schedule_version: 4 })],
    ['the start of a moved event', aFact('event.started'), aFact('event.started', { schedule_version: 4 })],
  ])('%s is another message', (_, one, other) => {
    expect(firstId(other)).not.toBe(firstId(one));
  });

  test('a fact recorded twice is the same message', () => {
    expect(firstId(aFact('reminder.due', {}, { id: 'fact-2' }))).toBe(firstId(aFact('reminder.due')));
    expect(firstId(aFact('event.cancelled', {}, { id: 'fact-2' }))).toBe(firstId(aFact('event.cancelled')));
  });

  test('are one for all children of a guardian that were registered in one step', () => {
    const guardian = aContact('jana', { name: 'Jana', email: 'jana@people.example', roles: ['parent'] });
    const step = anOccasion(aFact('registration.confirmed', { registration_id: 'r1', family: ['r2'] }));
    const child = (name: string, registration_id: string) => to(name, { name, email: null }, { registration_id });
    const drafts = draft(step, [child('adam', 'r1'), child('bea', 'r2')], { guardiansOf: () => [guardian] });
    const { rows } = oneRowPerKey(drafts.filter(({ channel }) => channel === 'email'));
    expect(rows).toMatchObject([
      { user_id: 'jana', registration_ids: ['r1', 'r2'], on_behalf_of: [{ name: 'adam' }, { name: 'bea' }] },
    ]);
  });

  test('differ for each confirmation of a registration', () => {
    const confirmed = (confirmation: number, registration_id = 'r1') =>
      firstId(aFact('registration.confirmed', { registration_id, confirmation }));
    expect(confirmed(1)).toBe(confirmed(1));
    expect(confirmed(2)).not.toBe(confirmed(1));
    expect(confirmed(1, 'r2')).not.toBe(confirmed(1));
  });

  test('are the same for two spellings of one address', () => {
    const spelled = (email: string) => firstId(aFact('event.cancelled'), to('eva', { email }));
    expect(spelled(' Family@People.Example')).toBe(spelled('family@people.example'));
  });

  test('are shared by two people of one address, whose second row has its own key', () => {
    const shared = { email: 'family@people.example' };
    const [eva] = draft(CANCELLED, [to('eva', shared)]);
    const [jan] = draft(CANCELLED, [to('jan', shared)]);
    if (!eva || !jan) throw new Error('no rows');
    expect(jan.id).toBe(eva.id);
    const record = mergedRow(jan, NOW);
    expect(record).toMatchObject({ user_id: 'jan', status: 'skipped', reason: 'same_address', settled_at: NOW });
    expect(record.id).not.toBe(jan.id);
    expect(mergedRow(jan, at('2026-09-02T00:00:00Z')).id).toBe(record.id);
    expect(mergedRow({ ...jan, user_id: 'ida' }, NOW).id).not.toBe(record.id);
    expect(mergedRow({ ...jan, on_behalf_of: [{ user_id: 'ida', name: 'Ida' }] }, NOW).id).not.toBe(record.id);
    expect(mergedRow({ ...jan, also: [{ user_id: 'ida', name: 'Ida', on_behalf_of: [] }] }, NOW).also).toEqual([]);
  });
});
