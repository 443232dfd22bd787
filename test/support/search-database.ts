import mongoose, { type mongo } from 'mongoose';
import { readAllRows } from './database.ts';
import type { World } from './world.ts';

/** Reads every row of all collections, also of those that no code knows, as `collection` and JSON. */
async function* readRows(world: World, filter: mongo.Filter<mongo.Document> = {}): AsyncGenerator<[string, string]> {
  const client = await new mongoose.mongo.MongoClient(world.env.MONGODB_URI ?? '').connect();
  try {
    for (const { name } of await client.db().listCollections().toArray())
      for await (const row of client.db().collection(name).find(filter)) yield [name, JSON.stringify(row)];
  } finally {
    await client.close();
  }
}

/** Searches every row of all collections. @returns rows with the words found in them */
export async function rowsWith(world: World, words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const [name, text] of readRows(world))
    for (const word of words) if (text.includes(word)) found.push(`${name}: ${word} in ${text.slice(0, 2_000)}`);
  return found;
}

/** Every row but the heartbeats of processes, as one sorted text. */
export async function allRows(world: World): Promise<string> {
  const all: string[] = [];
  for await (const row of readRows(world, { beat: { $exists: false } })) all.push(row.join(' '));
  return all.sort().join('\n');
}

/** The fields in which one of the words was found, as `collection` and `list[].field`. */
export async function fieldsWith(world: World, words: readonly string[]): Promise<(readonly [string, string])[]> {
  const found = new Map<string, readonly [string, string]>();
  for (const { name, row } of await readAllRows(world.database))
    for (const path of pathsOf({ ...row, _id: '' }, words)) found.set(`${name} ${path}`, [name, path]);
  return [...found.values()];
}

function pathsOf(value: unknown, words: readonly string[], path = ''): string[] {
  if (typeof value === 'string') return words.some((word) => value.includes(word)) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((entry) => pathsOf(entry, words, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  const pathTo = (field: string) => (path === '' ? field : `${path}.${field}`);
  return Object.entries(value).flatMap(([field, inner]) => pathsOf(inner, words, pathTo(field)));
}
