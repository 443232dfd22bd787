import { setTimeout as delay } from 'node:timers/promises';
import { chunksOf } from '../../src/core/groups.ts';
import { newId } from '../../src/core/ids.ts';
import { type System, startSystem } from '../../src/dev/system.ts';
import type { Database } from '../../src/mongo/database.ts';
import { openDatabase } from '../../src/mongo/open-database.ts';
import { contactStore, schoolStore } from '../../src/mongo/people/people-stores.ts';
import { registrationStore } from '../../src/mongo/registrations/registration-store.ts';
import type { Scope } from '../../src/people/caller.ts';
import type { Contact } from '../../src/people/contact.ts';
import { unnamedSchool } from '../../src/people/school.ts';
import type { WorkerName } from '../../src/queues/names.ts';
import { aContact, aRegistration } from '../support/builders.ts';
import { startServer } from './child.ts';
import { startOwnServices } from './services.ts';
import { type Usage, usageOf } from './usage.ts';

export const SCHOOL: Scope = { tenant_id: 'bench', school_id: 'bench' };

/** Ids of contacts sort as their numbers do. */
export const personId = (n: number): string => `person-${String(n).padStart(7, '0')}`;

/** Rows written together. */
const BATCH = 1_000;

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

export const withEmail = (n: number) => ({ email: `person-${n}@people.example` });

/** The product with a fast SMTP sink in a process of its own, for one benchmark. */
export type Product = System & {
  database: Database;
  /** How many messages the sink has accepted. */
  sinkCount(): number;
  /** Resolves when the sink has accepted that number of messages. */
  sinkReaches(count: number): Promise<void>;
  /** CPU and peak memory of every process, the database and the sink included */
  usage(): Record<string, Usage>;
  addContacts(count: number, of: (n: number) => Partial<Contact>): Promise<void>;
  /** Sets the school's channels for a trigger, besides mandatory ones; null: the default. */
  chooseChannels(trigger: string, channels: readonly string[] | null): Promise<void>;
  /** @returns the id of a new draft */
  draft(more?: Record<string, unknown>, scope?: Scope): Promise<string>;
  /** @returns the time of the request */
  publish(event_id: string, scope?: Scope): Promise<number>;
  publishNew(more?: Record<string, unknown>, scope?: Scope): Promise<{ id: string; publishedAt: number }>;
  /** Registers the first `count` contacts directly in the database. */
  register(event_id: string, count: number): Promise<void>;
  /** @returns the time of the request */
  cancel(event_id: string, more?: Record<string, unknown>, scope?: Scope): Promise<number>;
  /** Sends a message of staff to everyone registered, on these channels. @returns the time of the request */
  message(event_id: string, channels: readonly string[]): Promise<number>;
  end(): Promise<void>;
};

export async function startProduct(workers: readonly WorkerName[], env: Record<string, string> = {}): Promise<Product> {
  const services = await startOwnServices();
  const sink = await startSink('./sink.ts');
  const base = services.mongo.uri.replace(/\/([^/?]*)(\?|$)/, '/bench$2');
  const system = await startSystem({
    mongodbUri: base,
    redisUrl: services.redis.uri,
    start: ['api', ...workers],
    env: { SMTP_URL: sink.url, ...env },
  });
  const database = await openDatabase(base);
  const tokenOf = (scope: Scope) =>
    system.token({
      ...scope,
      user_id: 'staff',
      roles: ['staff'],
      permissions: ['events.view', 'events.create', 'events.update', 'events.registrations.manage'],
    });
  const post = async (path: string, body?: unknown, scope: Scope = SCHOOL): Promise<{ id: string }> => {
    const token = await tokenOf(scope);
    const response = await fetch(`${system.apiUrl}/api/v1/operations/events${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const draft = async (more: Record<string, unknown> = {}, scope: Scope = SCHOOL): Promise<string> => {
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const description = 'Everybody is welcome. '.repeat(40);
    const event = { title: 'Bench', event_type: 'social', start_date: day, end_date: day, description, ...more };
    return (await post('', event, scope)).id;
  };
  /** @returns the time of the request */
  const timed = async (...request: Parameters<typeof post>): Promise<number> => {
    const from = performance.now();
    await post(...request);
    return from;
  };
  const publish = (id: string, scope?: Scope) => timed(`/${id}/publish`, undefined, scope);
  return {
    ...system,
    database,
    sinkCount: sink.count,
    sinkReaches: sink.reaches,
    usage() {
      const ownName = (name: string, at: number): string => {
        const earlier = system.processes.slice(0, at).filter((one) => one.name === name).length;
        return earlier === 0 ? name : `${name} ${earlier + 1}`;
      };
      const pids = [
        ...system.processes.map(({ name, pid }, at) => [ownName(name, at), pid] as const),
        ['mongod', services.mongo.pid ?? 0] as const,
        ['redis', services.redis.pid ?? 0] as const,
        ['smtp sink', sink.pid] as const,
      ];
      return Object.fromEntries(pids.map(([name, pid]) => [name, usageOf(pid)]));
    },
    async addContacts(count, of) {
      const contacts = contactStore(database);
      const contactOf = (n: number) =>
        aContact(personId(n), { ...SCHOOL, name: `Person ${n}`, locale: n % 2 === 0 ? 'en' : 'cs', ...of(n) });
      for (const some of chunksOf(numbersTo(count), BATCH)) await contacts.putMany(some.map(contactOf));
    },
    async chooseChannels(trigger, channels) {
      const own = channels ? { channels: { [trigger]: channels } } : {};
      await schoolStore(database).put({ ...unnamedSchool(SCHOOL), ...own, updated_at: new Date() });
    },
    async register(event_id, count) {
      const registrations = registrationStore(database);
      const registrationOf = (n: number) =>
        aRegistration({ ...SCHOOL, id: newId(), event_id, user_id: personId(n), registered_by: personId(n) });
      for (const some of chunksOf(numbersTo(count), BATCH))
        await database.transact((tx) => registrations.insertMany(some.map(registrationOf), tx));
    },
    cancel: (id, more = {}, scope) => timed(`/${id}/cancel`, { reason: 'Storm', ...more }, scope),
    message: (id, channels) =>
      timed(`/${id}/registrations/messages`, { subject: 'Boots', body: 'Please bring boots. '.repeat(4), channels }),
    draft,
    publish,
    async publishNew(more, scope) {
      const id = await draft(more, scope);
      return { id, publishedAt: await publish(id, scope) };
    },
    async end() {
      await database.close();
      await system.stop();
      sink.stop();
      await services.stop();
    },
  };
}

/** A sink in a process of its own, which tells its address and how many messages it took. */
export async function startSink(file: string) {
  const { url, child, stop } = await startServer(file);
  let count = 0;
  let waiting: { count: number; resolve: () => void } | null = null;
  child.on('message', (message: { count: number }) => {
    count = message.count;
    if (waiting && count >= waiting.count) waiting.resolve();
  });
  const reaches = (wanted: number) =>
    new Promise<void>((resolve) => {
      waiting = { count: wanted, resolve };
    });
  return { url, pid: child.pid ?? 0, count: () => count, reaches, stop };
}

/** Asks every 20 ms, and gives up after `limitMs`. @returns milliseconds since `since` */
export async function untilTrue(check: () => Promise<boolean>, since: number, limitMs = 300_000): Promise<number> {
  while (!(await check())) {
    if (performance.now() - since > limitMs) throw new Error('the benchmark did not come to an end');
    await delay(20);
  }
  return performance.now() - since;
}
