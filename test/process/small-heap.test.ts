import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { chunksOf } from '../../src/core/groups.ts';
import { scriptOf } from '../../src/dev/product-process.ts';
import { startSystem } from '../../src/dev/system.ts';
import type { SchoolEvent } from '../../src/events/event.ts';
import type { Database } from '../../src/mongo/database.ts';
import { eventRowOf } from '../../src/mongo/events/event-row.ts';
import { recountTallies } from '../../src/mongo/events/event-tallies.ts';
import { openDatabase } from '../../src/mongo/open-database.ts';
import { PERMISSION_NAMES } from '../../src/people/caller.ts';
import { anEvent } from '../support/builders.ts';
import { emptyDatabaseUri } from '../support/database.ts';
import { eventsIn } from '../support/read-ics.ts';
import { E, SCHOOL } from '../support/world.ts';

// Events as large as before the limit: mostly lists of people, which no reader sees.
const COUNT = 100;
const HEAP_MB = 96;
const AT_ONCE = 4;
const TODAY = new Date().toISOString().slice(0, 10);

const people = Array.from({ length: 500 }, (_, n) => `${n}-${'é'.repeat(180)}`);
const largeEvent = (n: number): SchoolEvent => {
  const starts_at = new Date(`${TODAY}T08:00:00Z`);
  return anEvent({
    ...SCHOOL,
    id: `event-${String(n).padStart(5, '0')}`,
    title: `Concert ${n}`,
    description: 'ž'.repeat(5000),
    status: 'published',
    visibility: 'public',
    restricted_to: { user_ids: people },
    attachments: [{ name: 'Plan', url: `https://files.example/${'x'.repeat(2000)}` }],
    tags: ['music'],
    start_date: TODAY,
    end_date: TODAY,
    starts_at,
    ends_at: new Date(+starts_at + 3_600_000),
  });
};

let database: Database;
let system: Awaited<ReturnType<typeof startSystem>>;
let api: ChildProcess;

beforeAll(async () => {
  const mongodbUri = await emptyDatabaseUri();
  system = await startSystem({ mongodbUri, redisUrl: inject('redisUrl'), start: [] });
  database = await openDatabase(mongodbUri);
  const rows = Array.from({ length: COUNT }, (_, n) => eventRowOf(largeEvent(n)));
  for (const some of chunksOf(rows, 50)) await database.collection('events').insertMany(some as never);
  await recountTallies(database);
  api = fork(scriptOf('api'), [], {
    env: { PATH: process.env.PATH, ...system.env },
    execArgv: [`--max-old-space-size=${HEAP_MB}`, '--max-semi-space-size=2'],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  for await (const line of createInterface({ input: api.stdout as Readable })) {
    if (line.includes('"process.started"')) break;
  }
  api.stdout?.resume();
});
afterAll(async () => {
  if (api?.exitCode === null && api.signalCode === null) {
    api.kill();
    await once(api, 'exit');
  }
  await system?.stop();
  await database?.close();
});

const get = async (path: string, token?: string): Promise<string> => {
  const headers = new Headers(token === undefined ? {} : { authorization: `Bearer ${token}` });
  const answer = await fetch(`${system.apiUrl}${path}`, { headers });
  expect(answer.status, path).toBe(200);
  return answer.text();
};

const atOnce = <T>(ask: () => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: AT_ONCE }, ask));

const hasAll = (found: readonly string[]) => expect(new Set(found).size).toBe(COUNT);

/** Titles of all events of a list, page by page. */
async function listed(path: string): Promise<string[]> {
  const titles: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const text = await get(`${path}?limit=40${cursor && `&cursor=${cursor}`}`);
    const page = JSON.parse(text) as { data: { title: string }[]; next_cursor: string | null };
    titles.push(...page.data.map(({ title }) => title));
    cursor = page.next_cursor;
  }
  return titles;
}

test(`an API with ${HEAP_MB} MB answers many concurrent readers of large events in full`, async () => {
  const staff = { ...SCHOOL, user_id: 'staff-1', roles: ['staff'] as const, permissions: PERMISSION_NAMES };
  const token = await system.token(staff);
  const made = await fetch(`${system.apiUrl}/api/v1/me/feed`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const { url } = (await made.json()) as { url: string };
  const open = `/api/v1/public/schools/${SCHOOL.school_id}`;

  const calendars = await Promise.all([
    atOnce(() => get(`${open}/calendar.ics`)),
    atOnce(() => get(new URL(url).pathname)),
  ]);
  for (const files of calendars) {
    expect(new Set(files).size).toBe(1);
    hasAll(eventsIn(files[0] as string).map(({ summary }) => summary));
  }

  const months = await atOnce(() => get(`${E}/calendar?view=month`, token));
  for (const month of months) hasAll(JSON.parse(month).entries.map(({ title }: { title: string }) => title));
  const groups = await atOnce(() => get(`${E}/groups`, token));
  for (const group of groups) expect(JSON.parse(group).tags).toEqual([{ id: 'music', events: COUNT, people: null }]);
  const statistics = await atOnce(() => get(`${E}/statistics`, token));
  for (const numbers of statistics) expect(JSON.parse(numbers).total).toBe(COUNT);

  await atOnce(() => get(`${E}?limit=100`, token));
  hasAll(await listed(`${open}/events`));
  expect(api.exitCode ?? api.signalCode).toBe(null);
}, 240_000);
