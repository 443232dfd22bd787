import { type Scope, scopeOf } from '../../../src/people/caller.ts';
import { SCOPE } from '../builders.ts';
import { E } from './http-app.ts';
import type { RealApp } from './real-app.ts';

/** Stores with a planted defect that ignore the scope: the checks of isolation must find each. */
type Ports = RealApp['deps'];
/** The visibility rule checks tenant and school too, so the defect must hide them from it. */
const moved = <T extends Scope>(scope: Scope, row: T | null): T | null => row && { ...row, ...scopeOf(scope) };
/** Calls a method of a store for the first school, whatever school it is asked for. */
const withoutScope =
  <Name extends keyof Ports>(name: Name, method: keyof Ports[Name]) =>
  (deps: Ports): Partial<Ports> => {
    const store = deps[name] as Record<PropertyKey, (...all: unknown[]) => unknown>;
    const leaking = (_scope: unknown, ...more: unknown[]) => store[method]?.(SCOPE, ...more);
    return { [name]: { ...store, [method]: leaking } };
  };
export const PLANTED: Record<string, [string, (deps: Ports) => Partial<Ports>]> = {
  'an event found without its tenant': [
    `GET ${E}/{id}`,
    ({ events }) => ({
      events: { ...events, find: async (scope, id, tx) => moved(scope, await events.find(SCOPE, id, tx)) },
    }),
  ],
  'a list of events without its tenant': [
    `GET ${E}`,
    ({ eventReader }) => ({
      eventReader: {
        ...eventReader,
        findPage: async (visible, ...more) => {
          const { events, has_more } = await eventReader.findPage({ ...visible, ...SCOPE }, ...more);
          return { events: events.map((event) => ({ ...event, ...scopeOf(visible) })), has_more };
        },
      },
    }),
  ],
  'a person erased without the school': [
    'DELETE /api/v1/operations/contacts/{user_id}',
    withoutScope('traces', 'erase'),
  ],
  'failed messages retried without their tenant': [
    'POST /api/v1/operations/deliveries/retry',
    withoutScope('deliveries', 'retryFailed'),
  ],
  'an inbox marked without its school': ['POST /api/v1/me/inbox/read_all', withoutScope('inbox', 'markAll')],
  'settings of a school written without its tenant': [
    'PUT /api/v1/operations/school',
    ({ schools }) => ({ schools: { ...schools, put: (school) => schools.put({ ...school, ...SCOPE }) } }),
  ],
};
