import { describe, expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { draftCorrections } from '../../../src/notifications/fan-out/follow-ups.ts';
import type { Fact } from '../../../src/outbox/fact.ts';
import type { Channel } from '../../../src/people/channels.ts';
import type { Contact } from '../../../src/people/contact.ts';
import type { Preferences } from '../../../src/people/preferences.ts';
import type { School } from '../../../src/people/school.ts';
import { aContact, aRegistration, aSchool, NOW, SCOPE } from '../../support/builders.ts';
import { aDelivery, aFact, anOccasion } from '../../support/message-builders.ts';

const announcement = (user_id: string, more: Partial<Delivery> = {}) =>
  aDelivery({
    id: `announced to ${user_id}`,
    user_id,
    trigger: 'event.published',
    channel: 'email',
    status: 'sent',
    address: `${user_id}@people.example`,
    registration_ids: [],
    sequence: 0,
    ...more,
  });

/** earlier than the facts */
const BEFORE = new Date(NOW.getTime() - 60_000);

type Given = {
  fact?: Fact;
  event?: Partial<SchoolEvent>;
  announced?: Delivery[];
  /** people notified between a change and its undoing */
  meanwhile?: Delivery[];
  goingOut?: boolean;
  /** when the announcement has gone out to everyone */
  announcedUntil?: Date;
  registered?: string[];
  /** in the directory by now */
  contacts?: Contact[];
  wishes?: Preferences[];
  /** chosen by the school */
  channels?: School['channels'];
  openChannels?: readonly Channel[];
  /** whether announcements are invitations */
  invites?: boolean;
};

async function draftedRows({ fact = aFact('event.cancelled'), goingOut = false, ...given }: Given) {
  const {
    announced = [announcement('eva')],
    meanwhile = [],
    announcedUntil = NOW,
    registered = [],
    contacts = [],
    wishes = [],
    invites = false,
  } = given;
  const deps = {
    replyDomain: invites ? 'reply.school.test' : null,
    contacts: { findMany: async () => contacts },
    facts: { findLeads: async () => [] },
    deliveries: {
      listAnnounced: async () => announced,
      listReachedSince: async (_scope: unknown, _id: unknown, since: Date) => (since === NOW ? meanwhile : []),
      isBeingAnnounced: async (_scope: unknown, _ids: unknown, at: Date) => goingOut && at <= announcedUntil,
    },
    preferences: { findMany: async () => wishes },
    registrations: {
      findAmong: async (_scope: unknown, _id: string, { user_ids }: { user_ids: readonly string[] }) =>
        registered.filter((id) => user_ids.includes(id)).map((user_id) => aRegistration({ user_id })),
    },
  } as unknown as Parameters<typeof draftCorrections>[0];
  const event = { status: 'cancelled', registration_type: 'optional', ...given.event } as const;
  const school = aSchool(given.channels ? { channels: given.channels } : {});
  const openChannels = new Set(given.openChannels ?? (['email', 'in_app', 'whatsapp', 'sms'] as const));
  const occasion = anOccasion(fact, event, { school, openChannels });
  const rows: Delivery[] = [];
  for await (const page of draftCorrections(deps, occasion, NOW)) rows.push(...page);
  return rows;
}

const drafted = async (given: Given) =>
  (await draftedRows(given)).map((row) => [row.user_id, row.channel, row.reason, ...row.registration_ids]);

const eva = ['eva', 'email', null];

describe('a person without a registration whose announcement is outdated', () => {
  test.each<[string, Given, unknown[][]]>([
    ['learns of the cancellation if the event has no registration', { event: { registration_type: 'none' } }, [eva]],
    [
      'also if they had a place when it was announced again, since the row names no registration that may have ended',
      { event: { registration_type: 'none' }, announced: [announcement('eva', { registration_ids: ['r-1'] })] },
      [eva],
    ],
    ['isn’t where people register', {}, []],
    ['is where the announcement was still going out', { goingOut: true }, [eva]],
    ['also of another date', { goingOut: true, fact: aFact('event.postponed') }, [eva]],
    ['also of a correction', { goingOut: true, fact: aFact('event.changed') }, [eva]],
    ...(['event.changed', 'event.postponed', 'event.cancelled'] as const).map((type): [string, Given, unknown[][]] => [
      `also of ${type} that joins an edit made while the announcement was going out`,
      { goingOut: true, announcedUntil: BEFORE, fact: aFact(type, { changed_at: BEFORE }) },
      [eva],
    ]),
    [
      'but not of an edit after it has gone out',
      { goingOut: true, announcedUntil: BEFORE, fact: aFact('event.changed') },
      [],
    ],
    [
      'but not if the announcement was drafted after the correction',
      { goingOut: true, fact: aFact('event.changed'), announced: [announcement('eva', { sequence: 2 })] },
      [],
    ],
    [
      'also if its date in a series was drafted before the correction of that date',
      {
        goingOut: true,
        fact: aFact('event.changed'),
        announced: [announcement('eva', { event_id: 'lead', sequence: 9, other_sequences: { 'event-1': 0 } })],
      },
      [eva],
    ],
    [
      'but not if its date in a series was drafted after it',
      {
        goingOut: true,
        fact: aFact('event.changed'),
        announced: [announcement('eva', { event_id: 'lead', sequence: 0, other_sequences: { 'event-1': 2 } })],
      },
      [],
    ],
    ['but not once more of the start', { goingOut: true, fact: aFact('event.started') }, []],
    ['nor of a new announcement', { goingOut: true, fact: aFact('event.published') }, []],
    ['gets no second message if registered', { goingOut: true, registered: ['eva'] }, []],
    [
      'is notified as a guardian while one child has no registration',
      {
        goingOut: true,
        registered: ['jan'],
        announced: [
          announcement('mother', {
            on_behalf_of: [
              { user_id: 'jan', name: 'Jan' },
              { user_id: 'ida', name: 'Ida' },
            ],
          }),
        ],
      },
      [['mother', 'email', null]],
    ],
    [
      'on the same channels only, and a closed one says so',
      {
        goingOut: true,
        announced: [announcement('eva', { channel: 'push' }), announcement('jan', { channel: 'in_app' })],
      },
      [
        ['eva', 'push', 'channel_off'],
        ['jan', 'in_app', null],
      ],
    ],
    [
      'learns of an undone change only if notified meanwhile, with the registrations of that message',
      {
        fact: aFact('event.changed', { told_since: NOW }),
        goingOut: true,
        registered: ['jan'],
        meanwhile: [
          announcement('jan', { trigger: 'registration.confirmed', registration_ids: ['r-1'] }),
          announcement('ida'),
        ],
      },
      [
        ['jan', 'email', null, 'r-1'],
        ['ida', 'email', null],
      ],
    ],
    ['learns of the cancellation if the announcement was an invitation', { invites: true }, [eva]],
    [
      'unless it invited no one, since a yes does not register',
      { invites: true, event: { slots: { length_minutes: 10, hosts: [] } } },
      [],
    ],
    [
      'and only where it was the invitation',
      {
        invites: true,
        announced: [
          announcement('eva', { channel: 'in_app' }),
          announcement('mother', { on_behalf_of: [{ user_id: 'jan', name: 'Jan' }] }),
          announcement('father', { also: [{ user_id: 'ida', name: 'Ida', on_behalf_of: [] }] }),
        ],
      },
      [],
    ],
    [
      'unless the notice is silenced',
      { goingOut: true, fact: aFact('event.cancelled', { notify: false }) },
      [['eva', 'email', 'notifications_off']],
    ],
  ])('%s', async (_, given, expected) => {
    expect(await drafted(given)).toEqual(expected);
  });
});

test('learns of an undone change at an unverified address only if its owner in the directory wants messages', async () => {
  const given = { given_by: 'jan', address_owners: ['olga'], registration_ids: ['r-1'] };
  const meanwhile = [announcement('jan', { trigger: 'registration.confirmed', ...given })];
  expect(await draftedRows({ fact: aFact('event.changed', { told_since: NOW }), meanwhile })).toMatchObject([given]);
});

test.each<[string, string | null, object]>([
  [
    'at the new address, if the directory has one by now',
    'eva@new.example',
    { address: 'eva@new.example', reason: null },
  ],
  ['not at an address that was taken out of the directory', null, { address: null, reason: 'no_contact' }],
])('learns of the cancellation %s', async (_, email, expected) => {
  expect(await draftedRows({ goingOut: true, contacts: [aContact('eva', { email })] })).toMatchObject([expected]);
});

test.each<[string, Given]>([
  [
    'that they have chosen since',
    { wishes: [{ ...SCOPE, user_id: 'eva', locale: 'cs', opted_out: [], updated_at: NOW }] },
  ],
  ['that the directory has by now', { contacts: [aContact('eva', { email: 'eva@people.example', locale: 'cs' })] }],
])('learns of the cancellation in the language %s', async (_, given) => {
  expect(await draftedRows({ goingOut: true, ...given })).toMatchObject([{ locale: 'cs' }]);
});

test('learns of the cancellation by text message if WhatsApp can not deliver it', async () => {
  const channels = { 'event.cancelled': ['whatsapp', 'sms'] } as const;
  const announced = [announcement('eva', { channel: 'whatsapp' })];
  const rows = await draftedRows({ goingOut: true, announced, channels });
  expect(rows).toMatchObject([{ channel: 'whatsapp', fallback: 'sms' }]);
});

test.each<[string, Pick<Given, 'channels' | 'openChannels'>]>([
  ['for such messages', { channels: { 'event.cancelled': ['sms'] } }],
  ['altogether', { channels: { 'event.cancelled': ['whatsapp', 'sms'] }, openChannels: ['sms'] }],
])('a correction of a WhatsApp message goes by SMS after the school turned WhatsApp off %s', async (_, given) => {
  const announced = [announcement('eva', { channel: 'whatsapp', address: '+420601000001' })];
  const rows = await draftedRows({ ...given, goingOut: true, announced });
  expect(rows).toMatchObject([{ channel: 'sms', fallback: null, address: '+420601000001', status: 'waiting' }]);
});
