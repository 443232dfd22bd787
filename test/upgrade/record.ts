import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Queue } from 'bullmq';
import mongoose from 'mongoose';
import { apiClient } from '../../src/dev/api-client.ts';
import { startServices } from '../../src/dev/services/services.ts';
import { startSystem } from '../../src/dev/system.ts';
import { COLLECTION_NAMES, type CollectionName } from '../../src/mongo/collections.ts';
import { PERMISSION_NAMES } from '../../src/people/caller.ts';
import { DESCRIPTORS, QUEUED_CHANNELS } from '../../src/people/channels.ts';
import { eventually } from '../support/eventually.ts';

/**
 * `npx tsx test/upgrade/record.ts`: records what this version leaves to the next one while it works: rows, facts and jobs in
 * progress, and then the messages that this version makes of them. Run it on a release, before the next version changes anything.
 */
const SCHOOL = { tenant_id: 'upgrade', school_id: 'upgrade' };
/** Later than any run of the test, so that nothing is too late for it. */
const DAY = '2095-06-15';
const QUEUES = ['fan-out', 'fan-out-parts', ...QUEUED_CHANNELS.map((channel) => DESCRIPTORS[channel].queue)];
/** Made anew by the next version, or of this run only; earlier texts have tests of their own. */
const NOT_RECORDED = ['secrets', 'signals', 'replies', 'texts'];

/** One line of the recording. */
export type Recorded =
  | { kind: 'row'; collection: CollectionName; row: object }
  | { kind: 'job'; queue: string; name: string; data: object; opts: object }
  /** the final state of a message */
  | { kind: 'outcome'; id: string; channel: string; trigger: string; status: string; reason: string | null };

const services = await startServices({ log: () => {} });
const mongodbUri = services.mongo.uri.replace(/\/([^/?]*)(\?|$)/, '/upgrade$2');
const system = await startSystem({ mongodbUri, redisUrl: services.redis.uri, start: ['api', 'fan-out'] });
const client = await mongoose.mongo.MongoClient.connect(mongodbUri);
const db = client.db();

const token = await system.token({ ...SCHOOL, user_id: 'staff', roles: ['staff'], permissions: PERMISSION_NAMES });
const ask = apiClient(system.apiUrl, new AbortController().signal);
const post = async (path: string, body?: object, status = 200): Promise<string> =>
  (await ask<{ id: string }>(token, `/operations/events${path}`, { method: 'POST', body, status })).body.id;
const untilFannedOut = () =>
  eventually(
    'all facts are fanned out',
    async () => (await db.collection('facts').countDocuments({ relay: { $exists: true } })) === 0,
    60_000,
  );

for (const n of [1, 2, 3, 4]) {
  const phone = n === 1 ? {} : { phone: `+42060100000${n}` };
  const person = { name: `Person ${n}`, roles: ['parent'], email: `person-${n}@people.example`, ...phone };
  const body = { ...person, locale: n % 2 === 0 ? 'cs' : 'en' };
  await ask(token, `/operations/contacts/person-${n}`, { method: 'PUT', body, status: 201 });
}
const event = (title: string) => {
  const fields = {
    title,
    event_type: 'cultural',
    start_date: DAY,
    end_date: DAY,
    start_time: '18:00',
    end_time: '20:00',
  };
  return post('', { ...fields, registration_type: 'optional', max_attendees: 2 }, 201);
};
const register = (id: string, n: number) =>
  post(`/${id}/registrations`, { kind: 'attendee', user_id: `person-${n}` }, 201);

// Fanned out: rows wait for the channel workers, with wake-ups of both priorities.
const kept = await event('Concert');
const cancelled = await event('Trip');
await post(`/${kept}/publish`);
await post(`/${cancelled}/publish`);
for (const id of [kept, cancelled]) for (const n of [1, 2]) await register(id, n);
await post(`/${cancelled}/cancel`, { reason: 'Storm' });
await untilFannedOut();

// Not fanned out: facts in the outbox, with and without a wake-up on the queue.
for (const one of system.processes.filter(({ name }) => name === 'fan-out')) await one.stop();
await post(`/${kept}/postpone`, { reason: 'Illness', new_start_date: '2095-07-01' });
await post(`/${await event('Exhibition')}/publish`);
const message = { subject: 'Boots', body: 'Bring boots.', channels: ['email', 'sms'] };
await post(`/${kept}/registrations/messages`, message, 202);

const lines: Recorded[] = [];
for (const collection of COLLECTION_NAMES.filter((name) => !NOT_RECORDED.includes(name))) {
  const rows = await db.collection(collection).find().sort({ _id: 1 }).toArray();
  for (const row of rows) lines.push({ kind: 'row', collection, row: mongoose.mongo.BSON.EJSON.serialize(row) });
}
const url = new URL(services.redis.uri);
const connection = { host: url.hostname, port: Number(url.port) };
for (const name of QUEUES.flatMap((queue) => [queue, `${queue}-urgent`])) {
  const queue = new Queue(name, { connection, prefix: 'schoolbell-upgrade' });
  for (const { name: job, data, opts } of await queue.getJobs(['waiting', 'prioritized', 'delayed']))
    lines.push({ kind: 'job', queue: name, name: job, data, opts: { priority: opts.priority, jobId: opts.jobId } });
  await queue.close();
}

// This version finishes the work itself.
for (const name of ['relay', 'fan-out', 'email', 'sms'] as const) await system.start(name);
const open = { channel: { $in: ['email', 'sms'] }, status: { $in: ['waiting', 'claimed', 'sending', 'unknown'] } };
await untilFannedOut();
await eventually(
  'every message has a result',
  async () => (await db.collection('deliveries').countDocuments(open)) === 0,
  60_000,
);
for (const { _id, channel, trigger, status, reason = null } of await db
  .collection('deliveries')
  .find()
  .sort({ _id: 1 })
  .toArray())
  lines.push({ kind: 'outcome', id: String(_id), channel, trigger, status, reason });
const out = fileURLToPath(new URL('recorded.ndjson', import.meta.url));
writeFileSync(out, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
process.stdout.write(`${out}: ${lines.length} lines\n`);
await client.close();
await system.stop();
await services.stop();
process.exit(0);
