import { fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startServices } from '../../src/local/services.ts';
import { type System, startSystem, type WorkerName } from '../../src/local/system.ts';
import type { Contact } from '../../src/people/contact.ts';
import { contactStore } from '../../src/stores/contact-store.ts';
import { type Database, openDatabase } from '../../src/stores/database.ts';
import { type Usage, usageOf } from './usage.ts';

export const SCHOOL = { tenant_id: 'bench', school_id: 'bench' };

/** The product with a fast SMTP sink in a process of its own, for one benchmark. */
export type Product = System & {
  database: Database;
  sinkCount(): Promise<number>;
  /** CPU and peak memory of every process, the database and the sink included */
  usage(): Record<string, Usage>;
  addContacts(count: number, of: (n: number) => Partial<Contact>): Promise<void>;
  publishNew(): Promise<{ id: string; publishedAt: number }>;
  end(): Promise<void>;
};

export async function startProduct(workers: readonly WorkerName[], env: Record<string, string> = {}): Promise<Product> {
  const services = await startServices({ log: () => {}, env: {} });
  const sink = await startSink();
  const base = services.mongodbUri.replace(/\/([^/?]*)(\?|$)/, '/bench$2');
  const system = await startSystem({
    mongodbUri: base,
    redisUrl: services.redisUrl,
    start: ['api', ...workers],
    env: { SMTP_URL: sink.url, ...env },
  });
  const database = await openDatabase(base);
  const token = await system.token({
    ...SCHOOL,
    user_id: 'staff',
    roles: ['staff'],
    permissions: ['events.view', 'events.create', 'events.update', 'events.registrations.manage'],
  });
  const post = async (path: string, body?: unknown): Promise<{ id: string }> => {
    const response = await fetch(`${system.apiUrl}/api/v1/operations/events${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  return {
    ...system,
    database,
    sinkCount: sink.count,
    usage() {
      const pids = [
        ...system.processes.map(({ name, pid }) => [name, pid] as const),
        ['mongod', services.mongo.pid ?? 0] as const,
        ['redis', services.redis.pid ?? 0] as const,
        ['smtp sink', sink.pid] as const,
      ];
      return Object.fromEntries(pids.map(([name, pid]) => [name, usageOf(pid)]));
    },
    async addContacts(count, of) {
      const contacts = contactStore(database);
      for (let i = 0; i < count; i += 1000) {
        await contacts.putMany(
          Array.from({ length: Math.min(1000, count - i) }, (_, n) => contactOf(i + n, of(i + n))),
        );
      }
    },
    async publishNew() {
      const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
      const description = 'Everybody is welcome. '.repeat(40);
      const { id } = await post('', {
        title: 'Bench',
        event_type: 'social',
        start_date: day,
        end_date: day,
        description,
      });
      const publishedAt = performance.now();
      await post(`/${id}/publish`);
      return { id, publishedAt };
    },
    async end() {
      await database.close();
      await system.stop();
      sink.stop();
      await services.stop();
    },
  };
}

const contactOf = (n: number, more: Partial<Contact>): Contact => ({
  ...SCHOOL,
  user_id: `person-${String(n).padStart(7, '0')}`,
  name: `Person ${n}`,
  email: null,
  phone: null,
  roles: ['student'],
  class_ids: [],
  grade_level_ids: [],
  department_ids: [],
  guardians: [],
  locale: n % 2 === 0 ? 'en' : 'cs',
  timezone: null,
  updated_at: new Date(),
  ...more,
});

async function startSink() {
  const script = fileURLToPath(new URL('./sink.ts', import.meta.url));
  const child = fork(script, [], { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let count = 0;
  const url = await new Promise<string>((resolve) => {
    child.on('message', (message: { url?: string; count?: number }) => {
      if (message.url) resolve(message.url);
      if (message.count !== undefined) count = message.count;
    });
  });
  return { url, pid: child.pid ?? 0, count: async () => count, stop: () => void child.kill() };
}

/** Asks every 20 ms, and gives up after `limitMs`. @returns milliseconds since `since` */
export async function untilTrue(check: () => Promise<boolean>, since: number, limitMs = 300_000): Promise<number> {
  while (!(await check())) {
    if (performance.now() - since > limitMs) throw new Error('the benchmark did not come to an end');
    await delay(20);
  }
  return performance.now() - since;
}
