import type { Static } from 'typebox';
import { fault } from '../../core/errors.ts';
import { ingest } from '../../ingest/ingest.ts';
import { findItemFaults, type Item, type ItemOutcome } from '../../ingest/item.ts';
import type { Caller, Scope } from '../../people/caller.ts';
import { API } from '../paths.ts';
import type { Routes } from '../route.ts';
import { refTo } from '../schemas/fields.ts';
import { checkOf, converterOf } from '../validator.ts';
import { INGEST, INGEST_ITEM, INGESTED, ITEMS_MAX } from './ingest-schema.ts';

const BODY_LIMIT = 4 * 1024 * 1024;

type ItemResult = Static<typeof INGESTED>['items'][number];

/** The route through which another event service reports its changes. */
export function ingestRoutes(routes: Routes): void {
  routes.post(`${API}/ingest`, {
    access: { permission: 'ingest' },
    name: 'ingestEvents',
    summary: 'Report changes of another event service',
    description:
      `Send up to ${ITEMS_MAX} items (IngestItem) in any order. The response says for each item whether it was accepted, is ` +
      'a duplicate or was rejected, and why. Repeating a request is harmless, so an Idempotency-Key has no effect. The ' +
      'tenant and the school are those of the token.',
    body: INGEST,
    bodyLimit: BODY_LIMIT,
    repeatable: true,
    responses: { 202: refTo(INGESTED, 'The result of each item') },
    result: async (deps, caller, { body }) => {
      const read = body.items.map((value) => readItem(caller, value));
      const items = read.flatMap((one) => ('errors' in one ? [] : one));
      const outcomes = await ingest(deps, caller, items);
      const results = read.map((one, i): ItemResult => {
        const id = idOf(body.items[i]);
        const outcome = 'errors' in one ? one : (outcomes.shift() as ItemOutcome);
        if (outcome.status !== 'rejected') return { id, ...outcome };
        const errors = outcome.errors.map((each) => ({ ...each, pointer: `/items/${i}${each.pointer}` }));
        return { id, status: 'rejected', errors };
      });
      const count = (status: ItemResult['status']) => results.filter((one) => one.status === status).length;
      const [accepted, duplicates, rejected] = [count('accepted'), count('duplicate'), count('rejected')];
      return { accepted, duplicates, rejected, items: results };
    },
  });
}

const idOf = (value: unknown): string | null => {
  const { id } = Object(value) as { id?: unknown };
  return typeof id === 'string' ? id.slice(0, 200) : null;
};

const faultsOf = checkOf(INGEST_ITEM);
const converted = converterOf(INGEST_ITEM);

function readItem(caller: Caller, value: unknown): Item | Extract<ItemOutcome, { status: 'rejected' }> {
  const faults = faultsOf(value);
  if (faults.length > 0) return { status: 'rejected', errors: faults };
  const item = converted(value) as Item & { event: Partial<Scope> };
  const errors = (['tenant_id', 'school_id'] as const)
    .filter((name) => item.event[name] !== undefined && item.event[name] !== caller[name])
    .map((name) => fault(`/event/${name}`, 'must be that of your token', 'of_token'));
  errors.push(...findItemFaults(item));
  return errors.length > 0 ? { status: 'rejected', errors } : item;
}
