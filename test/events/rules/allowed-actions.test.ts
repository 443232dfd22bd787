import { expect, test } from 'vitest';
import {
  ACTIONS,
  type Action,
  allowedActions,
  refusalOf,
  refusedActions,
} from '../../../src/events/rules/lifecycle.ts';
import { PERMISSIONS } from '../../../src/people/caller.ts';
import { anEvent } from '../../support/builders.ts';

const ALL = Object.values(PERMISSIONS).flat();
const holding = (...permissions: string[]) => ({ user_id: 'olga', permissions });

test('an event with taken seats can be copied, but deleted only as a draft', () => {
  const event = anEvent({ status: 'completed', current_attendees: 0 });
  expect(allowedActions(event, holding(...ALL))).toEqual(['duplicate', 'delete']);
  expect(allowedActions({ ...event, current_attendees: 3 }, holding(...ALL))).toEqual(['duplicate']);
  expect(allowedActions({ ...event, status: 'draft', current_attendees: 3 }, holding(...ALL))).toContain('delete');
  expect(allowedActions(event, holding())).toEqual([]);
});

test('the reason against deleting names the taken seats', () => {
  const event = anEvent({ status: 'completed', current_attendees: 3 });
  expect(refusedActions(event, holding(...ALL)).delete?.detail).toContain('Seats taken: 3');
});

test('the reason of a refused action equals the answer to a request', () => {
  const events = [anEvent({ status: 'draft' }), anEvent({ status: 'completed', current_attendees: 2 })];
  for (const event of events) {
    const caller = holding(...ALL.filter((permission) => permission !== 'events.update'));
    const allowed = allowedActions(event, caller);
    const refused = refusedActions(event, caller);
    for (const action of Object.keys(ACTIONS) as Action[]) {
      const refusal = refusalOf(event, action, caller);
      expect(refused[action]?.detail, action).toBe(refusal?.detail);
      expect(refused[action]?.code, action).toBe(refusal?.code);
      expect(allowed.includes(action), action).toBe(refusal === null);
    }
  }
});
