import { beforeEach, expect, test } from 'vitest';
import { storesOn } from '../../../src/app/stores.ts';
import { eventRowOf } from '../../../src/mongo/events/event-row.ts';
import type { Outgoing } from '../../../src/notifications/content/message.ts';
import { type DeliverDeps, deliver } from '../../../src/notifications/delivery/deliver.ts';
import type { Outcome } from '../../../src/notifications/outcome.ts';
import { anEvent } from '../../support/builders.ts';
import { emptyDatabase } from '../../support/database.ts';
import { latch } from '../../support/latch.ts';
import { aDelivery, workerParts } from '../../support/message-builders.ts';

const HOUR = 3_600_000;
/** Number of jobs that an e-mail worker has in progress. */
const JOBS = 4;

const database = await emptyDatabase();
const stores = storesOn(database);
const event = anEvent({ status: 'published' });
await database.collection('events').insertOne(eventRowOf(event) as never);
const { tenant_id, school_id, id: event_id } = event;
const said = { tenant_id, school_id, event_id, occurred_at: new Date(), actor: { user_id: 'staff' } };
const message = { subject: 'Boots', body: 'Bring them.', channels: ['email' as const], status: null, kind: null };
await stores.transact((tx) => stores.facts.record([{ ...said, type: 'message.requested', data: message }], tx));
const fact_id = String((await database.collection('facts').findOne({}))?._id);

/** A worker whose server does not answer suspected messages until `answer` is called. */
function worker() {
  const sent: string[] = [];
  const { open: answer, opened: silence } = latch();
  const { open: onSuspect, opened: suspected } = latch();
  const send = async ({ delivery }: Outgoing): Promise<Outcome> => {
    if (suspectedIds.has(delivery.id)) {
      onSuspect();
      await silence;
    }
    sent.push(delivery.id);
    return { kind: 'accepted' };
  };
  const adapter = {
    channel: 'email' as const,
    capacity: 20,
    digests: true,
    send,
    breakers: () => [],
    close: async () => {},
  };
  const at = stores.clock.now();
  // No time slice ends, however slow the machine is.
  const deps = { ...stores, ...workerParts(adapter), clock: { now: () => at }, leaseMs: HOUR };
  return { deps, sent, answer, suspected };
}

async function given(prefix: string, count: number, more: { crashes?: number; digest_key?: string } = {}) {
  const ids = Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
  const row = { fact_id, trigger: 'message' as const, due_at: new Date(0), created_at: new Date() };
  await stores.deliveries.insertMany(
    ids.map((id) => aDelivery({ ...row, ...more, id, user_id: id, address: `${id}@people.example` })),
  );
  if (more.crashes) {
    for (const id of ids) suspectedIds.add(id);
    await database.collection('deliveries').updateMany({ _id: { $in: ids } } as never, { $set: more });
  }
  return ids;
}

const suspectedIds = new Set<string>();

const sendJob = (deps: DeliverDeps, ids: string[]) => deliver(deps, { ids, urgent: false });

const statusesOf = async (ids: readonly string[]) =>
  (await Promise.all(ids.map((id) => stores.deliveries.find(id)))).map((row) => row?.status);

beforeEach(() => database.collection('deliveries').deleteMany({}));

test('unanswered suspected messages occupy one worker and leave the others to healthy mail', async () => {
  const { deps, sent, answer, suspected } = worker();
  const jobs = await Promise.all(Array.from({ length: JOBS }, (_, n) => given(`suspected-${n}`, 5, { crashes: 1 })));
  const stuck = sendJob(deps, jobs[0] ?? []);
  await suspected;
  // Their jobs end while the first one waits for its server.
  for (const ids of jobs.slice(1)) await sendJob(deps, ids);
  const healthy = await given('healthy', 60);
  await sendJob(deps, healthy);
  expect([...sent].sort()).toEqual([...healthy].sort());
  // They are delayed, so that workers do not take them again and again.
  const aside = jobs.slice(1).flat();
  expect(new Set(await statusesOf(aside))).toEqual(new Set(['waiting']));
  expect(await stores.deliveries.findDue(aside, 'email')).toEqual([]);

  answer();
  await stuck;
  expect(new Set(await statusesOf(jobs[0] ?? []))).toEqual(new Set(['sent']));
  // Skip the delay.
  await database
    .collection('deliveries')
    .updateMany({ _id: { $in: aside } } as never, { $set: { due_at: new Date(0) } });
  for (const ids of jobs.slice(1)) await sendJob(deps, ids);
  expect(new Set(await statusesOf(aside))).toEqual(new Set(['sent']));
});

test('suspected messages that do not fit into the time slice of their job wait for the next one', async () => {
  const { deps, sent, answer } = worker();
  answer();
  const suspectedIds = await given('suspect', 3, { crashes: 1 });
  let calls = 0;
  // Each message takes a second.
  const clock = { now: () => new Date(deps.clock.now().getTime() + 1_000 * calls) };
  const send: typeof deps.adapter.send = (message) => {
    calls += 1;
    return deps.adapter.send(message);
  };
  const slow = { ...deps, clock, adapter: { ...deps.adapter, send } };
  const left = await sendJob(slow, suspectedIds);
  expect(left).toHaveLength(2);
  expect(await stores.deliveries.findDue(left, 'email')).toHaveLength(2);
  await sendJob(deps, left);
  expect([...sent].sort()).toEqual([...suspectedIds].sort());
});

test('a digest does not wait for a suspected member', async () => {
  const { deps, sent, answer, suspected } = worker();
  const stuck = sendJob(deps, await given('stuck', 1, { crashes: 1 }));
  await suspected;
  const members = await given('member', 3, { digest_key: 'morning' });
  const suspect = await given('suspect-member', 1, { digest_key: 'morning', crashes: 1 });
  await sendJob(deps, members);
  expect(new Set(await statusesOf(members))).toEqual(new Set(['sent']));
  expect(await statusesOf(suspect)).toEqual(['waiting']);
  expect(sent).toHaveLength(1);
  answer();
  await stuck;
});
