import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, EVERYTHING, serve } from '../../support/http/http-app.ts';
import { type Leaf, leavesOf, pointerOf, withValue } from '../../support/http/leaves.ts';

type Json = Record<string, unknown>;
type Parameter = { name: string; in: string; schema: { type?: string; items?: unknown } };
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: unknown; schema: Json }> };
  security?: unknown[];
};
type Known = { method: string; path: string; operation: Operation };

/** Values that MongoDB would read as an operator. */
const OPERATORS: unknown[] = [{ $ne: null }, { $where: 'sleep(1000)' }, [{ $gt: '' }]];
/** Each field gets one of these, the next field the next: one rule refuses them everywhere. */
const KEYS = ['$where', '$set', 'title.$ne', 'a.b', '', 'tenant_id', 'hasOwnProperty'];

const QUERIES: ((name: string) => string)[] = [
  (name) => `${name}[$ne]=x`,
  (name) => `${name}[]=x`,
  (name) => `${name}.$ne=x`,
  (name) => `${name}[__proto__]=x`,
  () => '$where=1',
];
/** Each path with parameters gets one of these. */
const SEGMENTS = ['{"$ne":null}', '$ne', '[$ne]', '[object Object]', 'a.b', '../../..', '\u0000', '%00', ' '];
const CANARIES: unknown[] = ['canary@example.org\u0000', ['canary'], { name: 'canary' }];

let known: Known[];
let components: Record<string, Json>;

beforeAll(async () => {
  const { ask } = await serve();
  const { body } = await ask(null, 'GET', '/docs/json');
  components = body.components.schemas;
  known = Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
});

/** A school with an event and a message, under the ids that a path may name. */
async function furnished() {
  const served = await serve();
  const { id } = await served.given({ status: 'draft' });
  const payload = { subject: 'Closed', body: 'Tomorrow.', channels: ['in_app'] };
  const { body: message } = await served.ask(EVERYTHING, 'POST', '/api/v1/operations/messages', { payload });
  const all = { id, message_id: message.id, school_id: 's1', trigger: 'event.published' };
  const fill = (path: string, ids: Record<string, string> = all) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'x'));
  return { served, fill };
}

/** The bodies of the document that are JSON, each with an example to start from. */
const bodies = () =>
  known.flatMap((one) => {
    const media = one.operation.requestBody?.content['application/json'];
    return media ? [{ one, schema: media.schema, example: media.example ?? {} }] : [];
  });

/** Where each answer says no: an item of a report is answered by itself. */
const refusedAt = (answer: Answer): string[] => {
  const errors: { pointer: string }[] = answer.body?.errors ?? answer.body?.items?.[0]?.errors ?? [];
  return errors.map(({ pointer }) => pointer);
};

const isIgnored = (schema: Json, { way }: Leaf): boolean => {
  const last = way.reduce<Json | undefined>((at, key) => {
    const seen = at?.$ref ? components[String(at.$ref).split('/').pop() ?? ''] : at;
    const chosen = (seen?.anyOf as Json[] | undefined)?.[0] ?? seen;
    const inner = chosen?.$ref ? components[String(chosen.$ref).split('/').pop() ?? ''] : chosen;
    return typeof key === 'number' ? (inner?.items as Json) : (inner?.properties as Record<string, Json>)?.[key];
  }, schema);
  return String(last?.description ?? '').startsWith('ignored');
};

let callers = 0;

/** A new caller for each operation, because a person has few tries a minute at routes that take a code. */
const newCaller = () => {
  callers += 1;
  return { ...EVERYTHING, user_id: `caller ${callers}` };
};

describe('an operator of the database in a request', () => {
  it('is refused in every field of every body, by the field’s name, and nothing is stored', async () => {
    const { served, fill } = await furnished();
    const before = await served.dump();
    const faults: string[] = [];
    let tried = 0;
    for (const { one, schema, example } of bodies()) {
      const caller = newCaller();
      for (const leaf of leavesOf(schema, components)) {
        if (isIgnored(schema, leaf)) continue;
        const value = OPERATORS[tried % OPERATORS.length];
        const payload = withValue(example, leaf.way, value) as object;
        const answer = await served.ask(caller, one.method, fill(one.path), { payload });
        tried += 1;
        const at = pointerOf(leaf.way);
        const isNamed = refusedAt(answer).some((pointer) => pointer.startsWith(at) || at.endsWith(pointer));
        if (![202, 422].includes(answer.status) || !isNamed)
          faults.push(`${one.method} ${one.path} ${at} ${JSON.stringify(value)}: ${answer.status} ${answer.text}`);
      }
    }
    expect(faults).toEqual([]);
    expect(await served.dump()).toBe(before);
    expect(tried).toBeGreaterThan(100);
  });

  it('is refused as a name in every object of every body', async () => {
    const { served, fill } = await furnished();
    const before = await served.dump();
    const faults: string[] = [];
    let tried = 0;
    for (const { one, schema, example } of bodies()) {
      const caller = newCaller();
      const objects = leavesOf(schema, components).filter(({ types }) => types.includes('object'));
      for (const { way } of [{ way: [] }, ...objects]) {
        const key = KEYS[tried % KEYS.length] ?? '';
        tried += 1;
        const payload = withValue(example, [...way, key], { $ne: 1 }) as object;
        const answer = await served.ask(caller, one.method, fill(one.path), { payload });
        if (![202, 422].includes(answer.status) || refusedAt(answer).length === 0)
          faults.push(`${one.method} ${one.path} ${pointerOf([...way, key])}: ${answer.status} ${answer.text}`);
      }
    }
    expect(faults).toEqual([]);
    expect(await served.dump()).toBe(before);
  });

  it('is refused in every parameter of every query', async () => {
    const { served, fill } = await furnished();
    const before = await served.dump();
    const faults: string[] = [];
    let tried = 0;
    for (const one of known) {
      if (one.operation.security?.length === 0) continue;
      const names = (one.operation.parameters ?? []).filter(({ in: place }) => place === 'query');
      for (const name of [...names.map((parameter) => parameter.name), 'filter']) {
        const form = QUERIES[tried % QUERIES.length];
        tried += 1;
        const query = form?.(name);
        const answer = await served.ask(newCaller(), one.method, `${fill(one.path)}?${query}`);
        if (answer.status !== 422) faults.push(`${one.method} ${one.path}?${query}: ${answer.status} ${answer.text}`);
      }
    }
    expect(faults).toEqual([]);
    expect(await served.dump()).toBe(before);
  });

  it('finds nothing where a path names it', async () => {
    const { served, fill } = await furnished();
    const before = await served.dump();
    const faults: string[] = [];
    // A user id in the directory may have any characters: it is never more than a value there.
    const named = known.filter(
      ({ path, method }) => path.includes('{') && !(method === 'PUT' && path.includes('{user_id}')),
    );
    for (const [n, one] of named.entries()) {
      const names = [...one.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
      const value = SEGMENTS[n % SEGMENTS.length] ?? '';
      const url = fill(one.path, Object.fromEntries(names.map((name) => [name, value])));
      const example = one.operation.requestBody?.content['application/json']?.example as object | undefined;
      const answer = await served.ask(newCaller(), one.method, url, example ? { payload: example } : {});
      // Of what nobody knows, nobody is asked to confirm anything.
      const isNothing = [404, 422].includes(answer.status) || answer.text === '{"state":"not_asked"}';
      if (!isNothing) faults.push(`${one.method} ${url}: ${answer.status} ${answer.text}`);
    }
    expect(faults).toEqual([]);
    expect(await served.dump()).toBe(before);
  });
});

describe('a refusal', () => {
  it('never repeats what was sent: it may be a secret, and ends in logs', async () => {
    const { served, fill } = await furnished();
    const repeats: string[] = [];
    let tried = 0;
    let refused = 0;
    for (const { one, schema, example } of bodies()) {
      const caller = newCaller();
      for (const leaf of leavesOf(schema, components)) {
        const value = CANARIES[tried % CANARIES.length];
        tried += 1;
        const payload = withValue(example, leaf.way, value) as object;
        const answer = await served.ask(caller, one.method, fill(one.path), { payload });
        // Objects that were created have ids of their own.
        const refusal = answer.status === 202 ? JSON.stringify(answer.body.items?.[0]?.errors) : answer.text;
        if (answer.status < 400 && answer.status !== 202) continue;
        refused += 1;
        if (refusal?.includes('canary')) repeats.push(`${one.method} ${one.path} ${pointerOf(leaf.way)}`);
      }
    }
    for (const one of known) {
      const headers = { authorization: 'Bearer canary', 'idempotency-key': 'canary key', 'if-match': 'canary' };
      const answers = [
        await served.ask(newCaller(), one.method, `${fill(one.path)}?limit=canary&unknown=canary`),
        await served.ask(null, one.method, fill(one.path), { headers }),
      ];
      for (const answer of answers) if (answer.text.includes('canary')) repeats.push(`${one.method} ${one.path}`);
    }
    expect(repeats).toEqual([]);
    expect(JSON.stringify(served.logged)).not.toContain('canary');
    expect(refused).toBeGreaterThan(300);
  });
});
