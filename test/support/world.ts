import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject } from 'vitest';
import type { Acceptance } from '../../src/dev/acceptance/acceptance-record.ts';
import type { LogLine } from '../../src/dev/product-process.ts';
import { type LocalServer, startRedis } from '../../src/dev/services/services.ts';
import { type System, type SystemOptions, startSystem } from '../../src/dev/system.ts';
import { type Database, openDatabase } from '../../src/mongo/database.ts';
import type { Delivery } from '../../src/notifications/delivery.ts';
import type { Contact } from '../../src/people/contact.ts';
import { freshDatabaseUri } from './database.ts';

/** The lease of every message in these worlds, in milliseconds. */
export const LEASE_MS = 4_000;

export const SCHOOL = { tenant_id: 'tenant-a', school_id: 'school-a' };

/** A running product for one test file: real processes, its own database and Redis, stand-ins for the providers. */
export type World = System & {
  readonly database: Database;
  readonly redis: LocalServer;
  /** What the stand-ins accepted, from the file outside the system. */
  accepted(): Acceptance[];
  deliveries(filter?: object): Promise<(Omit<Delivery, 'id'> & { _id: string })[]>;
  /** A request by a member of staff with every permission, or by `as`. @returns status, body and headers */
  call(
    method: string,
    path: string,
    body?: unknown,
    options?: { as?: string; headers?: Record<string, string> },
  ): Promise<Answer>;
  end(): Promise<void>;
};

export type Answer = { status: number; body: Record<string, unknown> & { [key: string]: never }; headers: Headers };

export const ALL_PERMISSIONS = [
  'events.view',
  'events.create',
  'events.update',
  'events.delete',
  'events.registrations.manage',
  'events.contacts.manage',
  'events.settings.manage',
  'events.deliveries.manage',
];

export async function startWorld(options: Partial<SystemOptions> = {}): Promise<World> {
  const redis = await startRedis({});
  const mongodbUri = options.mongodbUri ?? freshDatabaseUri(inject('mongodbUri'));
  const folder = mkdtempSync(join(tmpdir(), 'schoolbell-world-'));
  const recordTo = join(folder, 'accepted.jsonl');
  const env = {
    TICK_MS: '200',
    SWEEP_MS: '500',
    LEASE_MS: String(LEASE_MS),
    SEND_TIMEOUT_MS: '3000',
    SHUTDOWN_MS: '8000',
    ...options.env,
  };
  const system = await startSystem({ mongodbUri, redisUrl: redis.uri, recordTo, ...options, env });
  const database = await openDatabase(mongodbUri);
  const staff = await system.token({ ...SCHOOL, user_id: 'staff-1', roles: ['staff'], permissions: ALL_PERMISSIONS });
  return {
    ...system,
    database,
    redis,
    accepted: () => readRecord(recordTo),
    deliveries: async (filter = {}) => (await database.collection('deliveries').find(filter).toArray()) as never,
    async call(method, path, body, { as, headers = {} } = {}) {
      const response = await fetch(`${system.apiUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${as ?? staff}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
    },
    async end() {
      await system.stop();
      await database.close();
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function readRecord(file: string): Acceptance[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

/** Asks until the answer is true; the only way these tests wait for work of other processes. */
export async function eventually(
  what: string,
  check: () => Promise<boolean> | boolean,
  withinMs = 30_000,
): Promise<void> {
  const until = Date.now() + withinMs;
  while (!(await check())) {
    if (Date.now() > until) throw new Error(`not within ${withinMs} ms: ${what}`);
    await delay(50);
  }
}

export const contactOf = (n: number, more: Partial<Contact> = {}): Contact => ({
  ...SCHOOL,
  user_id: `person-${String(n).padStart(6, '0')}`,
  name: `Person ${n}`,
  email: `person-${n}@people.example`,
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

/** A draft a week ahead, as the API takes it. */
export const draft = (more: Record<string, unknown> = {}) => {
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  return {
    title: 'Autumn concert',
    event_type: 'cultural',
    start_date: day,
    end_date: day,
    start_time: '18:00',
    end_time: '20:00',
    ...more,
  };
};

export type { LogLine };
