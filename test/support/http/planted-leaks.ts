import { type Scope, scopeOf } from '../../../src/people/caller.ts';
import { SCOPE } from '../builders.ts';
import { E } from './http-app.ts';
import type { RealApp } from './real-app.ts';

/** Stores with a planted defect that ignore the scope: the checks of isolation must find each. */
type Ports = RealApp['deps'];
/** The visibility rule checks tenant and school too, so the defect must hide them from it. */
const moved = <T extends Scope>(scope: Scope, row: T | null): T | null => row && { ...row, ...scopeOf(scope) };
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
        page: async (visible, ...more) => {
          const { events, has_more } = await eventReader.page({ ...visible, ...SCOPE }, ...more);
          return { events: events.map((event) => ({ ...event, ...scopeOf(visible) })), has_more };
        },
      },
    }),
  ],
  'a contact found without its school': [
    'GET /api/v1/operations/contacts/{user_id}',
    ({ contacts }) => ({ contacts: { ...contacts, find: (_scope, id) => contacts.find(SCOPE, id) } }),
  ],
  'a person erased without the school': [
    'DELETE /api/v1/operations/contacts/{user_id}',
    ({ traces }) => ({ traces: { ...traces, erase: (_scope, ...more) => traces.erase(SCOPE, ...more) } }),
  ],
  'a message discarded without its tenant': [
    'POST /api/v1/operations/quarantine/{delivery_id}/discard',
    ({ deliveries }) => ({
      deliveries: { ...deliveries, discard: (_scope, ...more) => deliveries.discard(SCOPE, ...more) },
    }),
  ],
  'a suppression lifted without its tenant': [
    'DELETE /api/v1/operations/suppressions/{suppression_id}',
    ({ suppressions }) => ({
      suppressions: { ...suppressions, lift: (_scope, ...more) => suppressions.lift(SCOPE, ...more) },
    }),
  ],
  'bounces lifted without their school': [
    'POST /api/v1/operations/suppressions/lift',
    ({ suppressions }) => ({
      suppressions: { ...suppressions, liftBounced: (_scope, ...more) => suppressions.liftBounced(SCOPE, ...more) },
    }),
  ],
  'failed messages retried without their tenant': [
    'POST /api/v1/operations/deliveries/retry',
    ({ deliveries }) => ({
      deliveries: { ...deliveries, retryFailed: (_scope, ...more) => deliveries.retryFailed(SCOPE, ...more) },
    }),
  ],
  'an inbox marked without its school': [
    'POST /api/v1/me/inbox/read_all',
    ({ inbox }) => ({ inbox: { ...inbox, markAll: (_scope, ...more) => inbox.markAll(SCOPE, ...more) } }),
  ],
  'a message marked without its school': [
    'POST /api/v1/me/inbox/{id}/read',
    ({ inbox }) => ({ inbox: { ...inbox, mark: (_scope, ...more) => inbox.mark(SCOPE, ...more) } }),
  ],
  'settings of a school written without its tenant': [
    'PUT /api/v1/operations/school',
    ({ schools }) => ({ schools: { ...schools, put: (school) => schools.put({ ...school, ...SCOPE }) } }),
  ],
};
