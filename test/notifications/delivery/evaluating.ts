import type { SchoolEvent } from '../../../src/events/event.ts';
import type { DeliverDeps } from '../../../src/notifications/delivery/deliver.ts';
import { evaluateLeased } from '../../../src/notifications/delivery/evaluate.ts';
import type { Delivery } from '../../../src/notifications/delivery.ts';
import type { Fact } from '../../../src/outbox/fact.ts';
import type { School } from '../../../src/people/school.ts';
import { aContact, anEvent, aSchool, NOW } from '../../support/builders.ts';
import { aFact } from '../../support/message-builders.ts';

const event: SchoolEvent = anEvent({ status: 'published', published_at: NOW });
const fact: Fact = aFact('event.published', {}, { event_id: event.id, occurred_at: NOW });

/** The fields of a message that announces the event. */
export const ANNOUNCING = { event_id: event.id, fact_id: fact.id, trigger: 'event.published' } as const;

/** The decision about an announcement; no one has preferences, left the school or is suppressed, unless `parts` say so. */
export async function decisionOf(row: Delivery, parts: object = {}, school: School = aSchool()) {
  const deps = {
    adapter: { channel: row.channel },
    clock: { now: () => NOW },
    isUnchanged: async () => true,
    readyTexts: async () => {},
    facts: { findMany: async () => [fact] },
    schools: { find: async () => school },
    events: { findMany: async () => [event] },
    preferences: { findMany: async () => [] },
    suppressions: { findSuppressed: async () => new Set(), findStopped: async () => new Set() },
    contacts: {
      findTies: async (_: unknown, ids: string[]) => ids.map((id) => aContact(id)),
      findMany: async (_: unknown, ids: string[]) => ids.map((id) => aContact(id)),
      findChildren: async () => [],
    },
    ...parts,
  } as unknown as DeliverDeps;
  const [decision] = await evaluateLeased(deps, [row]);
  return decision;
}
