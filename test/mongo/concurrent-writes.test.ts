import { beforeEach, expect, test } from 'vitest';
import { storesOn } from '../../src/app/stores.ts';
import { Refused } from '../../src/core/errors.ts';
import { applyPlan } from '../../src/events/apply-plan.ts';
import { planEdit, planMove } from '../../src/events/plan-changes.ts';
import type { EventDeps } from '../../src/events/ports.ts';
import type { Database } from '../../src/mongo/database.ts';
import { eventRowOf } from '../../src/mongo/events/event-row.ts';
import { aCaller, anEvent } from '../support/builders.ts';
import { emptyDatabase } from '../support/database.ts';

const staff = aCaller({ user_id: 'ada', roles: ['staff'], permissions: ['events.update'] });
const ids = Array.from({ length: 60 }, (_, n) => `event-${n}`);

let database: Database;
let deps: EventDeps;
beforeEach(async () => {
  database = await emptyDatabase();
  const stores = storesOn(database);
  deps = stores;
  const reminders = [{ type: 'email' as const, offset: 60 }];
  const ahead = {
    start_date: '2099-10-16',
    end_date: '2099-10-16',
    starts_at: new Date('2099-10-16T18:00:00Z'),
    ends_at: new Date('2099-10-16T20:00:00Z'),
  };
  const drafts = ids.map((id) => eventRowOf(anEvent({ id, status: 'draft', version: 1, reminders, ...ahead })));
  await database.collection('events').insertMany(drafts as never);
});

const codeOf = (error: unknown) => (error instanceof Refused ? error.refusal.code : error);

test('publishes each event once and keeps every edit under concurrent requests', async () => {
  const publish = (id: string) =>
    applyPlan(deps, (tx) => planMove(deps, staff, { id, move: { action: 'publish' } }, tx));
  const edit = (id: string) =>
    applyPlan(deps, (tx) => planEdit(deps, staff, { id, patch: { title: `New ${id}` } }, tx));
  const twice = ids.slice(0, 20);
  const edited = ids.slice(10, 40);
  const [published, edits] = await Promise.all([
    Promise.allSettled([...ids, ...twice].map(publish)),
    Promise.allSettled(edited.map(edit)),
  ]);

  const refused = published.filter((one) => one.status === 'rejected');
  expect(refused.map(({ reason }) => codeOf(reason))).toEqual(twice.map(() => 'invalid_transition'));
  expect(edits.map(({ status }) => status)).toEqual(edited.map(() => 'fulfilled'));

  const rows = await database.collection('events').find({}).toArray();
  const facts = await database.collection('facts').find({}).toArray();
  for (const { _id, version, status, title } of rows as unknown as Record<string, unknown>[]) {
    const own = facts.filter((fact) => (fact as unknown as { event_id: string }).event_id === _id);
    expect([status, version], String(_id)).toEqual(['published', own.length + 1]);
    if (edited.includes(String(_id))) expect(title).toBe(`New ${_id}`);
  }
  const announcements = facts.filter((fact) => (fact as unknown as { type: string }).type === 'event.published');
  expect(announcements).toHaveLength(ids.length);
  expect(await database.collection('reminders').countDocuments({ status: 'planned' } as never)).toBe(ids.length);
});
