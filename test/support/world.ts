import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { queueSettings } from '../../src/app/queues.ts';
import { chunksOf } from '../../src/core/groups.ts';
import type { LogLine } from '../../src/dev/product-process.ts';
import type { LocalServer } from '../../src/dev/services/local-server.ts';
import { findFreePort } from '../../src/dev/services/local-server.ts';
import { startRedis } from '../../src/dev/services/services.ts';
import type { Acceptance } from '../../src/dev/stand-ins/received.ts';
import { type ProcessName, type System, type SystemOptions, startSystem } from '../../src/dev/system.ts';
import type { Database } from '../../src/mongo/database.ts';
import { openDatabase } from '../../src/mongo/open-database.ts';
import { contactStore } from '../../src/mongo/people/people-stores.ts';
import type { Delivery } from '../../src/notifications/delivery.ts';
import { PERMISSION_NAMES, type Scope } from '../../src/people/caller.ts';
import type { Contact } from '../../src/people/contact.ts';
import { WORKERS } from '../../src/queues/names.ts';
import { publisher } from '../../src/queues/publisher.ts';
import { aContact } from './builders.ts';
import { watchScans } from './collection-scans.ts';
import { returnDatabase, takeDatabase } from './database.ts';

/** The lease of every message in these worlds, in milliseconds. */
export const LEASE_MS = 4_000;

/** Every worker in a process of its own, for tests that stop or kill one of them. */
export const EACH_WORKER: readonly ProcessName[] = ['api', ...WORKERS];

/** Address of the events. */
export const E = '/api/v1/operations/events';

export const SCHOOL = { tenant_id: 'tenant-a', school_id: 'school-a' };

/** A school in a running product with stand-ins for the providers. Test files may share the product, so they can't end it. */
export type World = System & {
  readonly database: Database;
  readonly redis: LocalServer;
  /** the school that `call` speaks for */
  readonly scope: Scope;
  /** Messages that the stand-ins accepted, from a file outside the system. */
  accepted(): Acceptance[];
  deliveries(filter?: object): Promise<(Omit<Delivery, 'id'> & { _id: string })[]>;
  /** Wakes the loops of all processes, as a commit does: after a test has made rows due, which no process knows. */
  wake(): Promise<void>;
  /** A request by a member of staff with every permission, or by `as`. @returns status, body and headers */
  call(
    method: string,
    path: string,
    body?: unknown,
    options?: { as?: string; headers?: Record<string, string> },
  ): Promise<Answer>;
};

/**
 * A running product for one test file: its own database and Redis, stand-ins for the providers, and real processes, by
 * default the API and one with every worker, since each process costs a second of CPU to start.
 */
export type OwnWorld = World & {
  /** The same product for the staff of another school, so that test files can share it. */
  inSchool(scope: Scope): Promise<OwnWorld>;
  end(): Promise<void>;
};

export type Answer = { status: number; body: Record<string, unknown> & { [key: string]: never }; headers: Headers };

export async function startWorld(options: Partial<SystemOptions> = {}): Promise<OwnWorld> {
  const redis = await startRedis({});
  const mongodbUri = options.mongodbUri ?? takeDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'schoolbell-world-'));
  const recordTo = join(folder, 'accepted.jsonl');
  const env = {
    SWEEP_MS: '3000',
    LEASE_MS: String(LEASE_MS),
    SEND_TIMEOUT_MS: '3000',
    SHUTDOWN_MS: '8000',
    ...options.env,
  };
  const system = await startSystem({ mongodbUri, redisUrl: redis.uri, recordTo, onLog: logToFile, ...options, env });
  const database = await openDatabase(mongodbUri);
  const findScans = await watchScans(database);
  const { wake, close } = publisher(
    queueSettings({ mongo: { uri: mongodbUri }, redis: { url: redis.uri, prefix: null } }),
  );
  const world = {
    ...system,
    database,
    redis,
    wake,
    accepted: () => readRecord(recordTo),
    deliveries: async (filter: Record<string, unknown> = {}) =>
      (await database.collection('deliveries').find(filter).toArray()) as never,
    async end() {
      await system.stop();
      await close();
      const scanned = await findScans();
      if (!options.mongodbUri && scanned.length === 0) await returnDatabase(database, mongodbUri);
      await database.close();
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
      expect(scanned, 'queries that read a whole collection').toEqual([]);
    },
  };
  async function inSchool(scope: Scope): Promise<OwnWorld> {
    const staff = await system.token({ ...scope, user_id: 'staff-1', roles: ['staff'], permissions: PERMISSION_NAMES });
    return { ...world, scope, inSchool, call: callOf(system.apiUrl, staff) };
  }
  return inSchool(SCHOOL);
}

/** Keeps the logs of all processes in a file if FAULTS_LOG names one. */
const { FAULTS_LOG } = process.env;
const logToFile = (line: LogLine) => void (FAULTS_LOG && appendFileSync(FAULTS_LOG, `${JSON.stringify(line)}\n`));

/** Starts a world before the tests around the call and ends it after them. It can be used once they run. */
export function provideWorld(options: Partial<SystemOptions> = {}): OwnWorld {
  const world = {} as OwnWorld;
  beforeAll(async () => void Object.assign(world, await startWorld(options)));
  afterAll(() => world.end?.());
  return world;
}

/** Settings of the shared product that single files need. No school uses WhatsApp unless it chooses so. */
const SHARED = {
  TWILIO_URGENT_FROM: '+15005550007',
  BOUNCE_SECRET: 'shown by the mail server, 32 bytes',
  WHATSAPP_FROM: '+420111222333',
  WHATSAPP_TEMPLATES: `event.published.en=HX${'a'.repeat(32)}`,
};

let shared: Promise<OwnWorld> | undefined;
let schools = 0;

/** The product that all files of a worker share, since it costs seconds to start; it ends with the worker. */
export const sharedWorld = (): Promise<World> => sharedProduct();

function sharedProduct(): Promise<OwnWorld> {
  shared ??= startShared();
  return shared;
}

async function startShared(): Promise<OwnWorld> {
  const WEBHOOK_ALLOWED_ORIGINS = `http://127.0.0.1:${await findFreePort()}`;
  // It is idle most of the time, and each sweep takes a tenth of a second of CPU.
  return startWorld({ metrics: true, env: { SWEEP_MS: '20000', WEBHOOK_ALLOWED_ORIGINS, ...SHARED } });
}

/** A school of its own in the shared product, with the messages that are received from now on. */
export async function openSchool(): Promise<World> {
  schools += 1;
  const scope = { tenant_id: `tenant-${schools}`, school_id: `school-${schools}` };
  const world = await (await sharedProduct()).inSchool(scope);
  const { smtp, twilio, push } = world;
  return { ...world, smtp: fromNow(smtp), twilio: fromNow(twilio), push: fromNow(push) };
}

/** A view of a stand-in without the messages that it has received before. */
function fromNow<T extends { readonly messages: readonly unknown[] }>(standIn: T): T {
  const { length } = standIn.messages;
  return Object.create(standIn, { messages: { get: () => standIn.messages.slice(length) } });
}

const callOf =
  (origin: string, staff: string): World['call'] =>
  async (method, path, body, { as = staff, headers = {} } = {}) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${as}`, ...type, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
  };

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

export const contactOf = (n: number, more: Partial<Contact> = {}): Contact =>
  aContact(`person-${String(n).padStart(6, '0')}`, {
    ...SCHOOL,
    name: `Person ${n}`,
    email: `person-${n}@people.example`,
    locale: n % 2 === 0 ? 'en' : 'cs',
    updated_at: new Date(),
    ...more,
  });

export const contactsOf = (count: number, more: Partial<Contact> = {}): Contact[] =>
  Array.from({ length: count }, (_, n) => contactOf(n, more));

/** Writes people into the directory of a world's school. */
export async function putPeople(
  { database, scope }: Pick<World, 'database' | 'scope'>,
  people: readonly Contact[],
): Promise<void> {
  for (const some of chunksOf(people, 1_000))
    await contactStore(database).putMany(some.map((one) => ({ ...one, ...scope })));
}

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

/** Creates an event from these fields of a draft and publishes it. @returns its id */
export async function publishEvent(
  { call }: Pick<World, 'call'>,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { body } = await call('POST', E, draft(fields));
  expect((await call('POST', `${E}/${body.id}/publish`)).status).toBe(200);
  return String(body.id);
}

export { eventually } from './eventually.ts';
export type { LogLine };
