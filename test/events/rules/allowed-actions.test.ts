import { expect, test } from 'vitest';
import { ACTIONS, type Action, actionsFor, refusalOf } from '../../../src/events/rules/lifecycle.ts';
import { anEvent } from '../../support/builders.ts';

test('cached permissions are reused for the next event, and its seats are counted again', () => {
  const actions = actionsFor(() => true);
  const without = anEvent({ status: 'completed', current_attendees: 0 });
  expect(actions(without).allowed).toEqual(['duplicate', 'delete']);
  expect(actions({ ...without, current_attendees: 3 }).refused.delete).toContain('3 seats are taken');
  expect(actions({ ...without, current_attendees: 4 }).refused.delete).toContain('4 seats are taken');
  expect(actions(without).allowed).toEqual(['duplicate', 'delete']);
  expect(actionsFor(() => false)(without).allowed).toEqual([]);
});

test('the reason of a refused action equals the answer to a request', () => {
  const events = [anEvent({ status: 'draft' }), anEvent({ status: 'completed', current_attendees: 2 })];
  for (const event of events) {
    const permitted = (permission: string) => permission !== 'update_event';
    const { allowed, refused } = actionsFor(permitted)(event);
    for (const action of Object.keys(ACTIONS) as Action[]) {
      const refusal = refusalOf(event, action, permitted);
      expect(refused[action], action).toBe(refusal?.detail);
      expect(allowed.includes(action), action).toBe(refusal === null);
    }
  }
});
