import { expect, test } from 'vitest';
import type { SchoolEvent } from '../../../src/events/event.ts';
import { EVERYONE, loadNextRecipients } from '../../../src/notifications/fan-out/audience-cursor.ts';
import type { Occasion } from '../../../src/notifications/policy/draft-deliveries.ts';
import { destinationsOf } from '../../../src/notifications/policy/recipients.ts';
import type { NotificationStores } from '../../../src/notifications/ports.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { aContact, anEvent, at } from '../../support/builders.ts';
import { aFact } from '../../support/message-builders.ts';

const HEAD = { type: 'staff', email: 'music@school.example' } as const;
const ANNA = aContact('anna', { email: 'anna@school.example' });
const LEFT_AT = at('2026-09-01T10:00:00Z');
const KARL = aContact('karl', { email: 'karl@school.example' });

/** The recipients of a forwarded answer, and their addresses. */
async function reached(event: Partial<SchoolEvent>, directory: readonly Contact[]): Promise<string[]> {
  const contacts = {
    findMany: async (_scope: unknown, ids: readonly string[]) =>
      directory.filter(({ user_id }) => ids.includes(user_id)),
  };
  const occasion = {
    event: anEvent({ organizer_id: 'anna', created_by: 'karl', organizer: HEAD, ...event }),
    fact: aFact('message.answered'),
    trigger: 'message.answered',
  } as unknown as Occasion;
  const { recipients } = await loadNextRecipients({ contacts } as unknown as NotificationStores, occasion, EVERYONE);
  return recipients.flatMap((recipient) =>
    destinationsOf(recipient, 'email', [], () => false).map(({ user_id, address }) => `${user_id} ${address}`),
  );
}

test.each<[string, Partial<SchoolEvent>, Contact[], string[]]>([
  ['the organizer', {}, [ANNA, KARL], ['anna anna@school.example']],
  [
    'the address of the event if the organizer has none',
    {},
    [{ ...ANNA, email: null }, KARL],
    ['anna music@school.example'],
  ],
  ['the address of the event if the directory lacks the organizer', {}, [KARL], ['anna music@school.example']],
  [
    'the address of the event, in the name of the author, after the organizer has left',
    {},
    [{ ...ANNA, left_at: LEFT_AT }, KARL],
    ['karl music@school.example'],
  ],
  [
    'the author after an organizer has left whose event gives no address',
    { organizer: null },
    [{ ...ANNA, left_at: LEFT_AT }, KARL],
    ['karl karl@school.example'],
  ],
  [
    'the author after an organizer has left whose own address the event gives',
    { organizer: { ...HEAD, email: 'Anna@school.example' } },
    [{ ...ANNA, left_at: LEFT_AT }, KARL],
    ['karl karl@school.example'],
  ],
  [
    'the author if the organizer has no address at all',
    { organizer: null },
    [{ ...ANNA, email: null }, KARL],
    ['karl karl@school.example'],
  ],
  ['the author if there is neither organizer nor address', { organizer: null }, [KARL], ['karl karl@school.example']],
  ['the address of a department', { organizer_id: null }, [KARL], ['karl music@school.example']],
  ['no one if no one is left', { organizer: null }, [], []],
])('an answer is forwarded to %s', async (_name, event, directory, expected) => {
  expect(await reached(event, directory)).toEqual(expected);
});
