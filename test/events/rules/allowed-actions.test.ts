import { expect, test } from 'vitest';
import { ACTIONS, type Action, actionsFor, refusalOf } from '../../../src/events/rules/lifecycle.ts';
import { PERMISSIONS } from '../../../src/people/permissions.ts';
import { anEvent } from '../../support/builders.ts';

const ALL = Object.values(PERMISSIONS).flat();
const holding = (...permissions: string[]) => ({ user_id: 'olga', permissions });

test('cached permissions are reused for the next event, and its seats are counted again', () => {
  const actions = actionsFor(holding(...ALL));
  const without = anEvent({ status: 'completed', current_attendees: 0 });
  expect(actions(without).allowed).toEqual(['duplicate', 'delete']);
  expect(actions({ ...without, current_attendees: 3 }).refused.delete).toContain('3 seats are taken');
  expect(actions({ ...without, current_attendees: 4 }).refused.delete).toContain('4 seats are taken');
  expect(actions(without).allowed).toEqual(['duplicate', 'delete']);
  expect(actionsFor(holding())(without).allowed).toEqual([]);
});

test('the reason of a refused action equals the answer to a request', () => {
  const events = [anEvent({ status: 'draft' }), anEvent({ status: 'completed', current_attendees: 2 })];
  for (const event of events) {
    const caller = holding(...ALL.filter((permission) => permission !== 'events.update'));
    const { allowed, refused } = actionsFor(caller)(event);
    for (const action of Object.keys(ACTIONS) as Action[]) {
      const refusal = refusalOf(event, action, caller);
      expect(refused[action], action).toBe(refusal?.detail);
      expect(allowed.includes(action), action).toBe(refusal === null);
    }
  }
});
