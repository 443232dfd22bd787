import { expect, test } from 'vitest';
import { type ComposeDeps, outgoingOf } from '../../../src/notifications/delivery/compose.ts';
import { addressees } from '../../../src/notifications/policy/gate.ts';
import { tiesOf } from '../../../src/notifications/policy/recipients.ts';
import type { Trigger } from '../../../src/notifications/policy/trigger-table.ts';
import { signedLinks } from '../../../src/people/links.ts';
import type { Registration } from '../../../src/registrations/registration.ts';
import { aContact, anEvent, aRegistration, aSchool } from '../../support/builders.ts';
import { aDelivery, aFact } from '../../support/message-builders.ts';

const deps = {
  links: signedLinks(Buffer.alloc(32, 7)),
  publicUrl: 'https://school.example',
  replyDomain: null,
  contentOf: () => ({}) as never,
} satisfies ComposeDeps;

const event = anEvent({ slots: { length_minutes: 10, hosts: [{ user_id: 'jana', name: 'Jana' }] } });
const chosen = (id: string, user_id: string, minute: number, more: Partial<Registration> = {}) =>
  aRegistration({ id, user_id, slots: [{ host_user_id: 'jana', minute }], ...more });

/** What a message to the mother of Tom and Ema, drafted about these registrations, says of them. */
function says(
  registrations: Registration[],
  trigger: Trigger = 'reminder.due',
  guardians = { tom: ['eva'], ema: ['eva'] },
) {
  const fact =
    trigger === 'registration.waitlisted'
      ? aFact(trigger, { registration_id: 'of-tom', family: ['of-ema'], position: 3 })
      : aFact('reminder.due');
  const row = aDelivery({
    trigger,
    user_id: 'eva',
    on_behalf_of: ['tom', 'ema'].map((user_id) => ({ user_id, name: user_id })),
    registration_ids: registrations.map(({ id }) => id),
  });
  const people = Object.entries(guardians).map(([id, of]) => aContact(id, { guardians: of }));
  const readers = addressees(row, { registrations, preferences: new Map(), ...tiesOf(people) });
  const about = { event, fact, dates: [{ event, fact }], school: aSchool(), registrations };
  const { on_behalf_of, meetings, several, position } = outgoingOf(deps, row, about, readers).person;
  return { for: on_behalf_of, meetings, several, position };
}

const TOM = chosen('of-tom', 'tom', 0);
const EMA = chosen('of-ema', 'ema', 20);

test('a message names the meetings of all children whom it concerns', () => {
  const meetings = '18:00–18:10, Jana (tom); 18:20–18:30, Jana (ema)';
  expect(says([TOM, EMA])).toMatchObject({ for: 'tom, ema', meetings, several: 'yes' });
});

test('a message names no meeting that was cancelled, also of a child who is registered again', () => {
  const ended = [chosen('earlier', 'tom', 40, { status: 'cancelled' }), { ...EMA, status: 'cancelled' as const }];
  expect(says([TOM, ...ended])).toMatchObject({ for: 'tom', meetings: '18:00–18:10, Jana', several: '' });
});

test('a message to a former guardian of one child names no meeting of that child', () => {
  const guardians = { tom: ['eva'], ema: ['karl'] };
  expect(says([TOM, EMA], 'reminder.due', guardians)).toMatchObject({ for: 'tom', meetings: '18:00–18:10, Jana' });
});

test('a message about the waitlist names the position of the child who still waits', () => {
  const waits = { status: 'waitlisted', slots: [] } as const;
  const both = says(
    [
      { ...TOM, ...waits },
      { ...EMA, ...waits },
    ],
    'registration.waitlisted',
  );
  expect(both).toMatchObject({ position: '3 and 4', several: 'yes' });
  const one = says(
    [
      { ...TOM, status: 'confirmed' },
      { ...EMA, ...waits },
    ],
    'registration.waitlisted',
  );
  expect(one).toMatchObject({ for: 'ema', position: '4', several: '' });
});
