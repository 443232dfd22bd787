import { expect, it } from 'vitest';
import { isOptedIn, updateOptOuts } from '../../../src/web/settings/opt-outs.ts';

const all = ['event.published', 'event.changed', 'reminder.due'].flatMap((trigger) =>
  ['email', 'push'].map((channel) => ({ trigger, channel })),
);
const reminder = { trigger: 'reminder.due', channel: 'email' };

it('splits a wildcard opt-out into the others when the user opts in to one message', () => {
  const others = ['event.published:email', 'event.changed:email'];
  expect(updateOptOuts(['*:email'], reminder, true, all)).toEqual(others);
  expect(updateOptOuts(['reminder.due:*', '*:email'], reminder, true, all).sort()).toEqual(
    [...others, 'reminder.due:push'].sort(),
  );
});

it('adds an opt-out once, and removes it again', () => {
  const out = updateOptOuts([], reminder, false, all);
  expect(updateOptOuts(out, reminder, false, all)).toEqual(['reminder.due:email']);
  expect(isOptedIn(out, reminder)).toBe(false);
  expect(isOptedIn(out, { ...reminder, channel: 'push' })).toBe(true);
  expect(updateOptOuts(out, reminder, true, all)).toEqual([]);
});
