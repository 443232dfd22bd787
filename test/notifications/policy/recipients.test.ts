import { describe, expect, test } from 'vitest';
import { destinationsOf, type Recipient } from '../../../src/notifications/policy/recipients.ts';
import type { Channel } from '../../../src/people/channels.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { aContact } from '../../support/builders.ts';

const EVA = aContact('eva', {
  name: 'Eva',
  email: 'eva@people.example',
  phone: '+420601000001',
  locale: 'cs',
  timezone: 'Asia/Tokyo',
});
const MOTHER = aContact('mother', {
  roles: ['parent'],
  name: 'Mother',
  email: 'mother@people.example',
  phone: '+420601000002',
  locale: 'en',
  timezone: 'Europe/London',
});
const FATHER = aContact('father', { roles: ['parent'], name: 'Father', email: 'father@people.example' });

const recipient = (contact: Contact | null, snapshot: Recipient['snapshot'] = null): Recipient => ({
  user_id: 'eva',
  contact,
  registration_id: null,
  snapshot,
  registered_by: 'registrar',
});
const noPush = (_user_id: string) => false;
const reached = (to: Recipient, channel: Channel, guardians: Contact[] = [], hasPush = noPush) =>
  destinationsOf(to, channel, guardians, hasPush).map(({ user_id, address }) => [user_id, address]);

/** decisions.md "contact": "registration snapshot, else directory, else the student's guardians". */
describe('the destination of one person', () => {
  const SNAPSHOT = { email: 'eva@elsewhere.example', phone: '+420601000009' };
  const without = { ...EVA, email: null, phone: null };

  test.each<[string, Recipient, Channel, [string, string | null][]]>([
    ['the registration’s own address first', recipient(EVA, SNAPSHOT), 'email', [['eva', 'eva@elsewhere.example']]],
    ['the registration’s own number first', recipient(EVA, SNAPSHOT), 'sms', [['eva', '+420601000009']]],
    [
      'the directory for what the registration leaves out',
      recipient(EVA, { email: null, phone: '+420601000009' }),
      'email',
      [['eva', 'eva@people.example']],
    ],
    ['the directory', recipient(EVA), 'email', [['eva', 'eva@people.example']]],
    ['the directory', recipient(EVA), 'sms', [['eva', '+420601000001']]],
    [
      'guardians without any other data',
      recipient(without),
      'email',
      [
        ['mother', 'mother@people.example'],
        ['father', 'father@people.example'],
      ],
    ],
    ['those guardians who have a number', recipient(without), 'sms', [['mother', '+420601000002']]],
    [
      'the registration of a person outside the directory',
      recipient(null, SNAPSHOT),
      'email',
      [['eva', 'eva@elsewhere.example']],
    ],
    ['the inbox is one’s own, always', recipient(without), 'in_app', [['eva', null]]],
    [
      'the inbox also of the guardian who registered the child',
      { ...recipient(EVA), registered_by: 'father' },
      'in_app',
      [
        ['eva', null],
        ['father', null],
      ],
    ],
    ['the inbox of a person outside the directory', recipient(null), 'in_app', [['eva', null]]],
  ])('%s: %#', (_, to, channel, expected) => {
    expect(reached(to, channel, [MOTHER, FATHER])).toEqual(expected);
  });

  test.each<Channel>(['email', 'sms', 'push'])('is missing for %s', (channel) => {
    expect(reached(recipient(without), channel)).toEqual([]);
    expect(reached(recipient(null), channel)).toEqual([]);
    expect(reached(recipient(without), channel, [aContact('mother', { roles: ['parent'] })])).toEqual([]);
  });

  test.each<[string, Recipient, Channel, unknown[]]>([
    ['is unverified if it is not that of the directory', recipient(EVA, SNAPSHOT), 'email', ['eva', 'registrar']],
    ['is unverified where the person is unknown', recipient(null, SNAPSHOT), 'sms', ['eva', 'registrar']],
    [
      'is the directory’s own in any spelling',
      recipient(EVA, { email: ' Eva@People.example', phone: null }),
      'email',
      ['eva', null],
    ],
    [
      'belongs to the guardian who has it',
      recipient(EVA, { email: 'MOTHER@people.example', phone: null }),
      'email',
      ['mother', null],
    ],
  ])('an address given with a registration %s', (_, to, channel, expected) => {
    const all = destinationsOf(to, channel, [MOTHER, FATHER], noPush);
    expect(all.map(({ user_id, given_by }) => [user_id, given_by])).toEqual([expected]);
  });

  test('push goes to people with a subscribed browser, the student first', () => {
    const having =
      (...ids: string[]) =>
      (user_id: string) =>
        ids.includes(user_id);
    expect(reached(recipient(EVA), 'push', [MOTHER, FATHER], having('eva', 'mother'))).toEqual([['eva', null]]);
    expect(reached(recipient(EVA), 'push', [MOTHER, FATHER], having('mother'))).toEqual([['mother', null]]);
    expect(reached(recipient(EVA), 'push', [MOTHER, FATHER], having())).toEqual([]);
  });

  test('a guardian gets the message in their own language and zone, on behalf of the child', () => {
    expect(destinationsOf(recipient(without), 'email', [MOTHER], noPush)).toEqual([
      {
        user_id: 'mother',
        name: 'Mother',
        address: 'mother@people.example',
        given_by: null,
        locale: 'en',
        timezone: 'Europe/London',
        on_behalf_of: [{ user_id: 'eva', name: 'Eva' }],
      },
    ]);
  });

  test('a person’s own message is on no one’s behalf', () => {
    expect(destinationsOf(recipient(EVA), 'email', [], noPush)).toEqual([
      {
        user_id: 'eva',
        name: 'Eva',
        address: 'eva@people.example',
        given_by: null,
        locale: 'cs',
        timezone: 'Asia/Tokyo',
        on_behalf_of: [],
      },
    ]);
  });
});

test('a message in the app is for its recipient, about the people whom it concerns', () => {
  const concerns = [{ user_id: 'ida', name: 'Ida' }];
  expect(destinationsOf({ ...recipient(EVA), concerns }, 'in_app', [], noPush)).toMatchObject([
    { user_id: 'eva', on_behalf_of: concerns },
  ]);
});
