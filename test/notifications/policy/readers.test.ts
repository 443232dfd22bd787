import { describe, expect, test } from 'vitest';
import { type ComposeDeps, outgoingOf } from '../../../src/notifications/delivery/compose.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import { oneRowPerKey } from '../../../src/notifications/policy/draft-deliveries.ts';
import { addressees, type Now, reasonToStop } from '../../../src/notifications/policy/gate.ts';
import {
  addsReaders,
  consentingIds,
  entitledReaders,
  tiesOf,
  withReadersOf,
} from '../../../src/notifications/policy/recipients.ts';
import { signedLinks } from '../../../src/people/links.ts';
import type { RegistrationState } from '../../../src/registrations/registration.ts';
import { aContact, anEvent, aRegistration, aSchool, at, NOW } from '../../support/builders.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

const links = signedLinks(Buffer.alloc(32, 7));
const deps = {
  links,
  publicUrl: 'https://school.example',
  replyDomain: null,
  contentOf: () => ({}) as never,
} satisfies ComposeDeps;

const EVENT = anEvent({ status: 'cancelled' });
const FACT = aFact('event.cancelled');
const ABOUT = { event: EVENT, fact: FACT, dates: [{ event: EVENT, fact: FACT }], school: aSchool() };

/** One draft: its reader, and the people it concerns if not the reader. */
const drafted = (user_id: string, on_behalf_of: string[] = [], more: Partial<Delivery> = {}): Delivery =>
  aDelivery({
    trigger: 'event.cancelled',
    channel: 'sms',
    id: 'family',
    user_id,
    name: user_id,
    on_behalf_of: on_behalf_of.map((id) => ({ user_id: id, name: id })),
    registration_ids: (on_behalf_of.length > 0 ? on_behalf_of : [user_id]).map((id) => `of-${id}`),
    ...more,
  });
const one = (...drafts: Delivery[]): Delivery => {
  const [row] = oneRowPerKey(drafts).rows;
  if (!row) throw new Error('no row');
  return row;
};

function now(optOuts: Record<string, string[]> = {}, ended: string[] = []): Now {
  const people = ['eva', 'karl', 'anna', 'petr'];
  return {
    event: EVENT,
    fact: FACT,
    registrations: people.map((user_id) =>
      aRegistration({ id: `of-${user_id}`, user_id, status: ended.includes(user_id) ? 'cancelled' : 'confirmed' }),
    ),
    preferences: new Map(Object.entries(optOuts).map(([id, opted_out]) => [id, { locale: null, opted_out }])),
    suppressed: new Set(),
    at: NOW,
  };
}

/** As in an e-mail, the only channel with a link that names its readers. */
const says = (row: Delivery, at = now()) => {
  const { person } = outgoingOf(deps, { ...row, channel: 'email' }, ABOUT, addressees(row, at));
  const token = person.unsubscribe_url.split('/').at(-1) ?? '';
  return [person.name, person.on_behalf_of, links.readUnsubscribe(token)?.user_ids];
};

describe('a message to one address names all its readers', () => {
  test.each<[string, Delivery, unknown]>([
    ['one person', one(drafted('eva')), ['eva', '', ['eva']]],
    [
      'a mother about two children',
      one(drafted('eva', ['anna']), drafted('eva', ['petr'])),
      ['eva', 'anna, petr', ['eva']],
    ],
    [
      'a mother about one child twice',
      one(drafted('eva', ['anna']), drafted('eva', ['anna'])),
      ['eva', 'anna', ['eva']],
    ],
    // Not "for: anna", which would exclude her.
    [
      'a mother about herself and a child',
      one(drafted('eva'), drafted('eva', ['anna'])),
      ['eva', 'eva, anna', ['eva']],
    ],
    ['a child first, then herself', one(drafted('eva', ['anna']), drafted('eva')), ['eva', 'anna, eva', ['eva']]],
    ['two of one address', one(drafted('eva'), drafted('karl')), ['eva, karl', '', ['eva', 'karl']]],
    [
      'two of one address, one about a child',
      one(drafted('eva'), drafted('karl', ['anna'])),
      ['eva, karl', 'eva, anna', ['eva', 'karl']],
    ],
    [
      'both parents of one child with one address',
      one(drafted('eva', ['anna']), drafted('karl', ['anna'])),
      ['eva, karl', 'anna', ['eva', 'karl']],
    ],
    [
      'one of two without a name',
      one(drafted('eva', [], { name: '' }), drafted('karl')),
      ['karl', '', ['eva', 'karl']],
    ],
    ['the same person twice', one(drafted('eva'), drafted('eva')), ['eva', '', ['eva']]],
  ])('%s', (_, row, expected) => {
    expect(says(row)).toEqual(expected);
  });
});

describe('an opt-out excludes only that reader of a shared address', () => {
  const shared = one(drafted('eva'), drafted('karl', ['anna']));

  test('the first of them', () => {
    const at = now({ eva: ['*:sms'] });
    expect(reasonToStop(shared, at)).toBeNull();
    expect(says(shared, at)).toEqual(['karl', 'anna', ['karl']]);
  });

  test('the second of them', () => {
    const at = now({ karl: ['event.cancelled:*'] });
    expect(reasonToStop(shared, at)).toBeNull();
    expect(says(shared, at)).toEqual(['eva', '', ['eva']]);
  });

  test('all of them', () => {
    expect(reasonToStop(shared, now({ eva: ['*:*'], karl: ['*:sms'] }))).toBe('opted_out');
  });

  test('no one is excluded from a mandatory message', () => {
    const mail = { ...shared, channel: 'email' as const };
    const at = now({ eva: ['*:*'], karl: ['*:*'] });
    expect(reasonToStop(mail, at)).toBeNull();
    expect(says(mail, at)).toEqual(['eva, karl', 'eva, anna', ['eva', 'karl']]);
  });
});

describe('an ended registration is left out of the message', () => {
  const row = one(drafted('eva', ['anna']), drafted('eva', ['petr']), drafted('karl'));

  test.each<[string[], unknown]>([
    [['petr'], ['eva, karl', 'anna, karl', ['eva', 'karl']]],
    [
      ['anna', 'petr'],
      ['karl', '', ['karl']],
    ],
    [['karl'], ['eva', 'anna, petr', ['eva']]],
  ])('that of %j', (ended, expected) => {
    expect(reasonToStop(row, now({}, ended))).toBeNull();
    expect(says(row, now({}, ended))).toEqual(expected);
  });

  test('sends nothing after all registrations have ended', () => {
    expect(reasonToStop(row, now({}, ['anna', 'petr', 'karl']))).toBe('registration_ended');
  });
});

test('an equal draft adds nothing', () => {
  const row = one(drafted('eva', ['anna']), drafted('karl'), drafted('eva'));
  for (const draft of [drafted('eva'), drafted('eva', ['anna']), drafted('karl'), row]) {
    expect(addsReaders(row, draft)).toBe(false);
    expect(withReadersOf(row, draft)).toEqual(row);
  }
  expect(addsReaders(row, drafted('petr'))).toBe(true);
  expect(addsReaders(row, drafted('karl', ['anna']))).toBe(true);
  const ofAudience = (on_behalf_of: string[]) => drafted('eva', on_behalf_of, { registration_ids: [] });
  expect(addsReaders(ofAudience(['anna']), ofAudience(['petr']))).toBe(true);
  expect(addsReaders(drafted('eva'), drafted('eva', [], { registration_ids: ['another'] }))).toBe(true);
});

test('a message is due as early as the first of its drafts', () => {
  const due = (due_at: Date) => drafted('eva', [], { due_at });
  const [early, late] = [at('2026-09-01T08:00:00Z'), at('2026-09-01T09:00:00Z')];
  expect([one(due(late), due(early)).due_at, one(due(early), due(late)).due_at]).toEqual([early, early]);
});

test('all readers of a message and the owners of its address consent to it', () => {
  const row = { ...one(drafted('eva'), drafted('karl', ['anna'])), address_owners: ['olga'] };
  expect(consentingIds(row)).toEqual(['eva', 'karl', 'olga']);
});

test('the directory names those who have left, and the guardians of each child', () => {
  const people = [aContact('anna', { guardians: ['eva'] }), aContact('eva', { left_at: NOW })];
  const { left, guardians } = tiesOf(people);
  expect([left, guardians?.get('anna')]).toEqual([new Set(['eva']), ['eva']]);
});

test('a guardian whom only the token named is entitled to messages about the registration that they made', () => {
  const readers = ['dana', 'eva', 'karl'].map((user_id) => ({
    user_id,
    name: '',
    on_behalf_of: [{ user_id: 'anna', name: '' }],
  }));
  const ties = { guardians: new Map([['anna', ['eva']]]) };
  const registration = {
    ...aRegistration({ user_id: 'anna', registered_by: 'dana' }),
    by_token_guardian: true as const,
  };
  const entitled = (registrations: readonly RegistrationState[]) =>
    entitledReaders(readers, { ...ties, registrations }).map(({ user_id }) => user_id);
  expect(entitled([registration])).toEqual(['dana', 'eva']);
  expect(entitled([{ ...registration, user_id: 'ben' }])).toEqual(['eva']);
});
