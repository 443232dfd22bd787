import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { PERMISSION_NAMES } from '../../src/people/caller.ts';
import { SCOPE } from '../support/builders.ts';
import { emptyDatabaseUri } from '../support/database.ts';
import { type Operation, operationsOf, readDocument } from '../support/http/api-document.ts';
import { EVENT, furnish, OWNER } from '../support/http/furnished-school.ts';
import type { Who } from '../support/http/http-app.ts';
import { openRealApp, type RealApp } from '../support/http/real-app.ts';

let real: RealApp;
let operations: Operation[];

beforeAll(async () => {
  real = await openRealApp(await emptyDatabaseUri(), inject('redisUrl'));
  operations = operationsOf(await readDocument(real.ask));
  await furnish(real);
});
afterAll(() => real?.close());

/** An administrator of another school with the id of the person who owns everything in ours. */
const OUTSIDER: Who = { school_id: 's2', user_id: OWNER, roles: ['admin'], permissions: [...PERMISSION_NAMES] };

/** The value of ours that a filter could find: an id, or the word that all stored texts contain. */
const wantedBy = (name: string): string => (/event_id$/.test(name) ? EVENT : /_id$/.test(name) ? OWNER : 'canary');

/** Lists of the school of the token, each with one of its filters. */
const filtered = () =>
  operations
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/v1/') && !/\{|\/stream$/.test(path))
    .flatMap(({ name, path, parameters = [] }) =>
      parameters
        .filter((one) => one.in === 'query' && !['cursor', 'fields'].includes(one.name))
        .map((one) => ({ name: `${name}?${one.name}`, url: `${path}?${one.name}=${wantedBy(one.name)}` })),
    );

/** The requests that find something for an administrator of a school without anything. */
async function findLeaks(): Promise<string[]> {
  const found: string[] = [];
  for (const { name, url } of filtered()) {
    const { text, body } = await real.ask(OUTSIDER, 'GET', url);
    if (text.includes('canary') || body?.data?.length > 0 || body?.entries?.length > 0) found.push(name);
  }
  return found;
}

test('no filter of a list finds anything of another school', async () => {
  expect(filtered().length).toBeGreaterThan(50);
  expect(await findLeaks()).toEqual([]);
});

test.each<[string, string, (deps: RealApp['deps']) => Partial<RealApp['deps']>]>([
  [
    'GET /api/v1/operations/contacts?user_id',
    'people',
    ({ contacts }) => ({ contacts: { ...contacts, search: (_, query) => contacts.search(SCOPE, query) } }),
  ],
  [
    'GET /api/v1/operations/deliveries?event_id',
    'messages',
    ({ deliveries }) => ({ deliveries: { ...deliveries, list: (_, query) => deliveries.list(SCOPE, query) } }),
  ],
])('the check finds %s if it lists %s of all schools', async (name, _what, defect) => {
  onTestFinished(real.plant(defect));
  expect(await findLeaks()).toContain(name);
});
