import { expect, test } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import { EVERYONE, splitRecipients } from '../../../src/notifications/fan-out/audience-cursor.ts';
import { SCOPE } from '../../support/builders.ts';
import { provideDatabase } from '../../support/database.ts';
import { aFact, anOccasion } from '../../support/message-builders.ts';
import { contactOf } from '../../support/world.ts';

const PEOPLE = 12_000;
const FEW = 10;
const person = (n: number) => contactOf(n, { ...SCOPE, roles: [n % 2 === 0 ? 'student' : 'parent'] });
const database = await provideDatabase();
const stores = storesOn(database);

const occasion = anOccasion(aFact('event.published'), { target_audience: ['students', 'parents'] });
const all = { roles: null };

test('splits an audience into ranges that hold everyone once, also people added after the split', async () => {
  // Only what a page of people is read by, since every index takes time.
  const rows = Array.from({ length: PEOPLE }, (_, n) => {
    const { user_id, roles } = person(n);
    return { ...SCOPE, user_id, roles, _id: String(n) };
  });
  await database.collection('contacts').insertMany(rows as never);
  const [first] = await stores.contacts.findPage(SCOPE, EVERYONE, FEW, all);
  const ranges = await splitRecipients(stores, occasion, first?.user_id ?? '');
  expect(ranges.map(({ after, until }) => [after, until])).toEqual([
    ['person-000000', 'person-005000'],
    ['person-005000', 'person-010000'],
    ['person-010000', null],
  ]);
  const added = ['person-004999-a', 'person-005000-a', 'zoe'].map((user_id) => ({ ...person(0), user_id }));
  await stores.contacts.putMany(added);
  const ids: string[] = [];
  for (const range of ranges)
    ids.push(...(await stores.contacts.findPage(SCOPE, range, PEOPLE, all)).map(({ user_id }) => user_id));
  expect(ids).toHaveLength(PEOPLE - 1 + added.length);
  expect(new Set(ids).size).toBe(ids.length);
});

async function splitFact() {
  const { id: _, v: __, ...published } = aFact('event.published');
  const [fact] = await stores.transact((tx) => stores.facts.record([published], tx));
  const id = fact?.id ?? '';
  const ranges = [
    { after: 'a', until: 'k' },
    { after: 'k', until: null },
  ];
  return { id, ranges, parts: await stores.facts.split(id, ranges) };
}

test('keeps the first split of a fact, and a checkpoint for each part', async () => {
  const { id, ranges, parts } = await splitFact();
  expect(parts).toEqual(ranges);
  expect(await stores.facts.split(id, [EVERYONE])).toEqual(ranges);
  await stores.facts.saveCheckpoint(id, 1, 'p');
  expect((await stores.facts.findWithParts(id))?.parts).toEqual([ranges[0], { after: 'p', until: null }]);
});

test('reports the end of a fact only when its last part is finished', async () => {
  const { id } = await splitFact();
  expect(await stores.facts.finishPart(id, 1)).toBe(false);
  expect(await stores.facts.finishPart(id, 0)).toBe(true);
});

test('does not publish a fact again while its parts move forward', async () => {
  const { id } = await splitFact();
  const rows = database.collection('facts');
  await stores.facts.markPublished([id]);
  for (const report of [() => stores.facts.saveCheckpoint(id, 0, 'c'), () => stores.facts.finishPart(id, 0)]) {
    await rows.updateOne({ _id: id }, { $set: { handed_on_at: new Date(0) } });
    await report();
    await stores.facts.reopenUnprocessed(60_000);
    expect((await rows.findOne({ _id: id }))?.relay).toBe('handed_on');
  }
});

test('leaves a processed fact unchanged when a late process reports its part, or that it was published', async () => {
  const { id, ranges } = await splitFact();
  await stores.facts.markProcessed(id);
  await stores.facts.markPublished([id]);
  await stores.facts.reopen(id);
  expect(await database.collection('facts').findOne({ _id: id })).not.toHaveProperty('relay');
  await stores.facts.saveCheckpoint(id, 0, 'z');
  expect(await stores.facts.finishPart(id, 0)).toBe(false);
  expect(await stores.facts.split(id, ranges)).toEqual([]);
  expect(await stores.facts.findWithParts(id)).toMatchObject({ fact: { id }, parts: [] });
});
