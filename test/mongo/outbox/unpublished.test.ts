import { expect, test } from 'vitest';
import { factStore } from '../../../src/mongo/outbox/fact-store.ts';
import { SCOPE } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { aFact } from '../../support/message-builders.ts';

const database = await emptyDatabase();
const facts = factStore(database);

async function record(...tenants: string[]): Promise<void> {
  const fresh = tenants.map((tenant_id) => ({ ...aFact('event.published'), ...SCOPE, tenant_id, id: undefined }));
  await database.transact((tx) => facts.record(fresh.map(({ id: _, v: __, ...fact }) => fact) as never, tx));
}

/** The tenants whose facts are published next. */
async function publishNext(limit: number): Promise<string[]> {
  const found = await facts.findUnpublished('bulk', limit);
  await facts.markPublished(found.map(({ id }) => id));
  return found.map(({ tenant_id }) => tenant_id);
}

test('each tenant has an equal share of the outbox, starting after the tenant that was served last', async () => {
  await record('a', 'a', 'a', 'a', 'a', 'b', 'c', 'c');
  expect(await publishNext(4)).toEqual(['a', 'b', 'c']);
  await record('b', 'd');
  expect(await publishNext(0)).toEqual([]);
  expect(await publishNext(3)).toEqual(['d', 'a', 'b']);
  expect(await publishNext(2)).toEqual(['c', 'a']);
  expect(await publishNext(9)).toEqual(['a', 'a']);
});

test('an answer that can’t be stored is an error, so that its provider sends it again', async () => {
  const transact = () => Promise.reject(new Error('no primary'));
  const { recordAnswer } = factStore({ ...database, transact });
  await expect(recordAnswer({} as never)).rejects.toThrow('no primary');
});
