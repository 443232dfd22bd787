import { afterAll, afterEach, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { COLLECTION_NAMES, type CollectionName } from '../../src/mongo/collections.ts';
import { PERMISSION_NAMES, type Scope } from '../../src/people/caller.ts';
import { SCOPE } from '../support/builders.ts';
import { emptyDatabaseUri, keepDocuments } from '../support/database.ts';
import { fillPath, type Operation, operationsOf, readDocument } from '../support/http/api-document.ts';
import { EVENT, furnish, IDS, OWNER } from '../support/http/furnished-school.ts';
import { type Answer, serve, type Who } from '../support/http/http-app.ts';
import { ENTRIES, type Kind, kindOf } from '../support/http/isolation-entries.ts';
import { PLANTED } from '../support/http/planted-leaks.ts';
import { openRealApp, type RealApp } from '../support/http/real-app.ts';

const EVERYTHING = [...PERMISSION_NAMES];

/** Rows of the person whose ids are named. */
const OWN: Scope & { user_id: string } = { ...SCOPE, user_id: OWNER };

const INBOX = { ...IDS, id: 'i1' };

const { school_id, trigger, ...FOUND } = IDS;
const UNKNOWN = { ...Object.fromEntries(Object.keys(FOUND).map((name) => [name, 'never'])), school_id, trigger };

const OUTSIDERS: Record<string, Who> = {
  'another tenant': { tenant_id: 't2', school_id: 's1', user_id: OWNER, roles: ['admin'], permissions: EVERYTHING },
  'another school': { tenant_id: 't1', school_id: 's2', user_id: OWNER, roles: ['admin'], permissions: EVERYTHING },
};

/** A student without the permissions that show every event: cannot see an event for staff. */
const OF_ANOTHER_ROLE: Who = {
  user_id: 'stranger',
  roles: ['parent'],
  permissions: EVERYTHING.filter((one) => !/^events\.(update|publish|cancel|delete)/.test(one)),
};

const operations = operationsOf(await readDocument((await serve()).ask));
let real: RealApp;
let changed: () => Promise<CollectionName[]>;
let restore: () => Promise<void>;
type Rows = Record<string, string>;
/** Before each test: the rows of the sample school and those of one person, by collection. */
let kept: { ours: Rows; owners: Rows };

beforeAll(async () => {
  real = await openRealApp(await emptyDatabaseUri(), inject('redisUrl'));
  await furnish(real);
  ({ changed, restore } = await keepDocuments(real.database));
  kept = { ours: await stored(SCOPE, COLLECTION_NAMES), owners: await stored(OWN, COLLECTION_NAMES) };
});
afterAll(() => real?.close());
afterEach(() => restore());

/** Requests that are no JSON object. */
const OTHER: Record<string, { query?: string; payload: string; type: string }> = {
  'POST /api/v1/operations/contacts/import': {
    payload: JSON.stringify({ user_id: OWNER, name: 'theirs' }),
    type: 'application/x-ndjson',
  },
  'POST /api/v1/operations/roster/columns': { payload: `id,name\n${OWNER},theirs`, type: 'application/octet-stream' },
  'POST /api/v1/operations/roster/import': { payload: `id,name\n${OWNER},theirs`, type: 'application/octet-stream' },
  'POST /api/v1/operations/files': { query: '?name=plan.pdf', payload: '%PDF-1.7', type: 'application/octet-stream' },
};

function send(who: Who | null, { method, path, name }: Operation, named: object = idsFor(path)) {
  const url = fillPath(path, (key) => (named as Record<string, string>)[key] ?? 'never');
  const other = OTHER[name];
  const payload = other
    ? { payload: other.payload, headers: { 'content-type': other.type } }
    : name === 'POST /api/v1/ingest'
      ? { payload: { items: [REPORT] } }
      : { payload: ENTRIES[name]?.body };
  return real.ask(who, method, `${url}${other?.query ?? ''}`, payload);
}

const REPORT = {
  id: 'report-1',
  type: 'event.created',
  occurred_at: '2026-09-01T08:00:00Z',
  event: {
    id: EVENT,
    version: 1,
    status: 'draft',
    title: 'theirs',
    event_type: 'cultural',
    start_date: '2026-12-01',
    end_date: '2026-12-01',
  },
};

const idsFor = (path: string) => (path.includes('/me/inbox/') ? INBOX : IDS);

/** The rows of these collections that belong to a school or a person, as text. */
async function stored(scope: Scope, names: readonly CollectionName[]): Promise<Rows> {
  const rowsOf = async (name: CollectionName) => {
    const rows = real.database.collection(name).find(scope as never);
    return [name, JSON.stringify(await rows.toArray())];
  };
  return Object.fromEntries(await Promise.all(names.map(rowsOf)));
}

/** Whether the rows of a school or a person are as before the test. */
async function areKept(scope: Scope, before: Rows): Promise<boolean> {
  const now = await stored(scope, await changed());
  return Object.entries(now).every(([name, rows]) => rows === before[name]);
}

/** Leaks and changes that one operation gives to an outsider; empty if the school is isolated. */
async function leaks(one: Operation, who: Who): Promise<string[]> {
  const kind = kindOf(one);
  const answer = await send(who, one);
  const found: string[] = [];
  const wrong = (is: boolean, what: string) => void (is && found.push(`${one.name}: ${what}`));
  wrong(answer.text.includes('canary'), 'tells something of the school');
  if (kind === 'event' || kind === 'named') {
    const never = await send(who, one, UNKNOWN);
    wrong(answer.status !== 404, `answers ${answer.status}, not 404`);
    wrong(!isSame(answer, never), 'answers other words than for an unknown id');
  } else if (kind !== 'computed') {
    // A caller's own resource may be missing.
    wrong(answer.status >= 400 && !(kind === 'own' && answer.status === 404), `answers ${answer.status}`);
  }
  const mayWrite = kind === 'writes' || kind === 'own';
  wrong(!(mayWrite ? await areKept(SCOPE, kept.ours) : (await changed()).length === 0), 'changes what is stored');
  return found;
}

const isEqual = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);
const isSame = (a: Answer, b: Answer): boolean =>
  a.status === b.status && isEqual({ ...a.body, instance: '' }, { ...b.body, instance: '' });

test('every entry is about an operation of the OpenAPI document', () => {
  expect(operations.length).toBeGreaterThan(30);
  const names = operations.map(({ name }) => name);
  expect(Object.keys(ENTRIES).filter((name) => !names.includes(name))).toEqual([]);
});

test('the sample school has an id for every parameter of a path that needs a token', () => {
  const paths = operations.filter(({ security }) => security?.length !== 0).map(({ path }) => path);
  const parameters = paths.flatMap((path) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name));
  expect(parameters.filter((name) => !Object.hasOwn(IDS, name))).toEqual([]);
});

const named = (...kinds: Kind[]) => operations.filter((one) => kinds.includes(kindOf(one))).map(({ name }) => name);
const ASKED = ['event', 'named', 'events', 'listed', 'writes', 'own', 'computed'] as const;

function operation(name: string): Operation {
  const found = operations.find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not in the document`);
  return found;
}

describe.each(Object.entries(OUTSIDERS))('a user of %s', (_where, who) => {
  test.each(named(...ASKED))('learns and changes nothing by %s', async (name) => {
    expect(await leaks(operation(name), who)).toEqual([]);
  });
});

describe('a user of the school who may not see the event', () => {
  test.each(named('event', 'events'))('learns and changes nothing by %s', async (name) => {
    expect(await leaks(operation(name), OF_ANOTHER_ROLE)).toEqual([]);
  });

  test.each(named('own').concat(named('named').filter((name) => name.includes('/me/'))))(
    'learns and changes nothing of another person by %s',
    async (name) => {
      const answer = await send(OF_ANOTHER_ROLE, operation(name));
      if (kindOf(operation(name)) === 'named') expect(answer.status).toBe(404);
      expect(answer.text).not.toMatch(/canary(?! of the school)/);
      expect(await areKept(OWN, kept.owners)).toBe(true);
    },
  );
});

describe('a caller without a token', () => {
  test('is refused by every operation that is not open', async () => {
    for (const name of named(...ASKED)) {
      const answer = await send(null, operation(name));
      expect([name, answer.status, answer.body.code]).toEqual([name, 401, 'unauthenticated']);
    }
  });

  test.each(named('open'))('learns nothing of an event for staff or of people by %s', async (name) => {
    expect((await send(null, operation(name))).text).not.toMatch(/canary(?! of the school)/);
  });
});

describe('a user who sees the event', () => {
  const holder = (permissions: string[]): Who => ({ user_id: 'member', roles: ['admin'], permissions });

  test.each(named(...ASKED))('without the permission is refused by %s, with it is not', async (name) => {
    const one = operation(name);
    if (one.permissions.length === 0) return;
    const without = holder(EVERYTHING.filter((permission) => !one.permissions.includes(permission)));
    expect(await send(without, one)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await changed()).toEqual([]);
    for (const permission of one.permissions) {
      const answer = await send(holder([permission, ENTRIES[name]?.also ?? permission]), one);
      expect([401, 403, 404], permission).not.toContain(answer.status);
      await restore();
    }
  });
});

test.each(Object.entries(PLANTED))('the checks find %s', async (_name, [route, change]) => {
  onTestFinished(real.plant(change));
  for (const who of Object.values(OUTSIDERS)) {
    expect(await leaks(operation(route), who)).not.toEqual([]);
    await restore();
  }
});

/** Operations whose change is one write of its own: repeated, it is refused, finds nothing left, or changes nothing more. */
const HARMLESS_TWICE =
  /event-templates|\/template$|saved-texts|outside-calendars|webhooks|contacts|push_subscriptions|\/me\/(inbox|feed)/;

describe('with an Idempotency-Key', () => {
  const keyed = operations.filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'idempotency-key'));
  const owner: Who = { user_id: OWNER, roles: ['admin'], permissions: EVERYTHING };

  test.each(keyed.map(({ name }) => name))('%s changes nothing if its reply is not stored', async (name) => {
    const { finish } = real.deps.idempotency;
    const lost = () => Promise.reject(new Error('the connection is lost'));
    const change: Parameters<RealApp['plant']>[0] = ({ idempotency }) => ({
      idempotency: { ...idempotency, finishMany: lost, finish: (...given) => (given[3] ? lost() : finish(...given)) },
    });
    onTestFinished(real.plant(change));
    const { method, path } = operation(name);
    const url = fillPath(path, (key) => (idsFor(path) as Rows)[key] ?? 'never');
    const key = { 'idempotency-key': operation(name).operationId };
    const { status } = await real.ask(owner, method, url, { payload: ENTRIES[name]?.body, headers: key });
    expect([409, 422, 500]).toContain(status);
    if (!HARMLESS_TWICE.test(name)) expect((await changed()).filter((one) => one !== 'replies')).toEqual([]);
  });
});
