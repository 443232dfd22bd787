import { expect, test } from 'vitest';
import { countPeople, filterPeople, type NotifiedPerson } from '../../../src/notifications/explain/notified-people.ts';

type Message = NotifiedPerson['messages'][number];

const person = (name: string, statuses: Message['statuses'], reasons: Message['reasons'] = []) => ({
  trigger: 'event.published' as const,
  user_id: name,
  name,
  messages: [{ statuses, reasons }],
});

const PEOPLE = [
  person('Jiří Novák', ['sent', 'failed'], ['bad_address']),
  person('Eva Malá', ['skipped'], ['same_address']),
  person('Jan Král', ['waiting', 'skipped'], ['no_contact']),
  person('Nora Bílá', ['skipped', 'failed'], ['no_contact', 'bad_address']),
];

test('counts a person once, as reached if any channel reached them', () => {
  expect(countPeople(PEOPLE)).toEqual([{ trigger: 'event.published', reached: 2, waiting: 1, missed: 1 }]);
});

test.each([
  ['waiting', ['skipped', 'waiting'], ['same_address']],
  ['reached', ['skipped', 'sent'], ['same_address']],
  ['missed', ['skipped', 'failed'], ['same_address', 'bad_address']],
  ['reached', ['skipped'], ['same_address', 'channel_off']],
] as const)('counts a person who shares an address as %s if its message is %j', (outcome, statuses, reasons) => {
  const [counts] = countPeople([person('Eva Malá', [...statuses], [...reasons])]);
  expect(counts).toMatchObject({ [outcome]: 1 });
});

test('counts a person as missed if the only channel of a message is not set up', () => {
  expect(countPeople([person('Eva Malá', ['skipped'], ['channel_off'])])).toMatchObject([{ reached: 0, missed: 1 }]);
});

const MISSED = { statuses: ['skipped'], reasons: ['no_contact'] } satisfies Message;
const SENT = { statuses: ['sent'], reasons: [] } satisfies Message;
const REPLACED = { statuses: ['skipped'], reasons: ['superseded', 'no_contact'] } satisfies Message;

test.each([
  ['missed', 'message', [SENT, MISSED]],
  ['missed', 'event.changed', [MISSED, SENT]],
  ['waiting', 'message', [SENT, { statuses: ['waiting'], reasons: [] }]],
  ['reached', 'event.changed', [REPLACED, SENT]],
  ['missed', 'message', [REPLACED]],
  ['reached', 'reminder.due', [SENT, MISSED]],
  ['reached', 'acknowledgement.due', [SENT, MISSED]],
  ['reached', 'event.published', [{ statuses: ['skipped'], reasons: ['told_before'] }]],
] as const)('counts a person as %s after the messages of %s: %j', (outcome, trigger, messages) => {
  const several = { ...person('Eva Malá', []), trigger, messages: messages as unknown as Message[] };
  expect(countPeople([several])).toMatchObject([{ [outcome]: 1 }]);
  expect(filterPeople([several], {})).toMatchObject([
    { outcome, reasons: [...new Set(messages.flatMap(({ reasons }): readonly string[] => reasons))] },
  ]);
});

test.each(['event.changed', 'event.postponed', 'event.unpublished'] as const)(
  'leaves out a person if later changes replaced all messages of %s',
  (trigger) => {
    const several = { ...person('Eva Malá', []), trigger, messages: [REPLACED, REPLACED] };
    expect(countPeople([several])).toEqual([]);
    expect(filterPeople([several], {})).toEqual([]);
  },
);

test('finds people by outcome and by the beginnings of their names', () => {
  const names = (filter: Parameters<typeof filterPeople>[1]) => filterPeople(PEOPLE, filter).map(({ name }) => name);
  expect(names({ outcome: 'missed' })).toEqual(['Nora Bílá']);
  expect(names({ name: 'no' })).toEqual(['Jiří Novák', 'Nora Bílá']);
  expect(names({ name: 'novak jiri' })).toEqual(['Jiří Novák']);
  expect(names({ name: 'ovák' })).toEqual([]);
});

test('names someone whom the directory does not know by the id', () => {
  const visitor = { ...person('', ['sent']), user_id: 'visitor-1' };
  expect(filterPeople([visitor], { name: 'visitor' })).toMatchObject([{ user_id: 'visitor-1', name: 'visitor-1' }]);
});
