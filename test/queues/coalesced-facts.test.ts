import { expect, test } from 'vitest';
import { coalescedFacts } from '../../src/queues/coalesced-facts.ts';

const fact = (id: string, type: 'reminder.due' | 'event.started' | 'event.cancelled', tenant_id = 'a') => ({
  id,
  type,
  tenant_id,
});
const spelled = (facts: ReturnType<typeof fact>[]) =>
  coalescedFacts(facts).map(({ id, others }) => [id, ...others].join('+'));

test('reminders of one tenant share a wake-up, whatever else is among them has its own', () => {
  const facts = [
    fact('1', 'reminder.due'),
    fact('2', 'event.cancelled'),
    fact('3', 'reminder.due'),
    fact('4', 'reminder.due', 'b'),
    fact('5', 'event.started'),
    fact('6', 'event.cancelled'),
    fact('7', 'reminder.due'),
  ];
  expect(spelled(facts)).toEqual(['1+3+7', '2', '4', '5', '6']);
});

test('no wake-up holds more than a hundred', () => {
  const many = Array.from({ length: 250 }, (_, n) => fact(String(n), 'reminder.due'));
  expect(coalescedFacts(many).map(({ others }) => others.length + 1)).toEqual([100, 100, 50]);
});
