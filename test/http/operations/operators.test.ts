import { describe, expect, it } from 'vitest';
import { chunksOf } from '../../../src/core/groups.ts';
import { cpuMsOf } from '../../support/cpu.ts';
import { fillPath, type Json, operationsOf, readDocument } from '../../support/http/api-document.ts';
import { type Answer, EVERYTHING, provideHttp } from '../../support/http/http-app.ts';
import { type Leaf, leavesOf, pointerOf, withValue } from '../../support/http/leaves.ts';

const served = await provideHttp();

/** Values that MongoDB would read as an operator, with a word that no answer may repeat. */
const OPERATORS: unknown[] = [{ $ne: 'canary' }, { $where: 'canary' }, [{ $gt: 'canary' }]];
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

const document = await readDocument(served.ask);
const components: Record<string, Json> = document.components.schemas;
const operations = operationsOf(document);

/** A school with an event and a message, under the ids that a path may name. */
async function furnished() {
  const { id } = await served.given({ status: 'draft' });
  const payload = { subject: 'Closed', body: 'Tomorrow.', channels: ['in_app'] };
  const { body: message } = await served.ask(EVERYTHING, 'POST', '/api/v1/operations/messages', { payload });
  const all: Record<string, string> = { id, message_id: message.id, school_id: 's1', trigger: 'event.published' };
  const fill = (path: string) => fillPath(path, (name) => all[name] ?? 'x');
  return { served, fill };
}

/** The bodies of the document that are JSON, each with an example to start from. */
const bodies = () =>
  operations.flatMap((one) => {
    const media = one.requestBody?.content['application/json'];
    return media ? [{ one, schema: media.schema, example: media.example ?? {} }] : [];
  });

/** Every value in one of these bodies. */
const values = () =>
  bodies().flatMap((body) => leavesOf(body.schema, components).map((leaf) => ({ ...body, ...leaf })));

/** Sends a request for each case, some at a time since they wait for the database. @returns the faults that were found */
async function findFaults<Case>(
  cases: readonly Case[],
  faultOf: (one: Case, number: number) => Promise<string | undefined | false>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const some of chunksOf([...cases.entries()], 10))
    for (const fault of await Promise.all(some.map(([number, one]) => faultOf(one, number))))
      if (fault) faults.push(fault);
  return faults;
}

/** Where each answer says no: an item of a report is answered by itself. */
const refusedAt = (answer: Answer): string[] => {
  const errors: { pointer: string }[] = answer.body?.errors ?? answer.body?.items?.[0]?.errors ?? [];
  return errors.map(({ pointer }) => pointer);
};

/** Whether a refusal repeats what was sent. A report that was taken has the id that was sent with it, so only its errors count. */
const isRepeated = (answer: Answer): boolean =>
  (answer.status === 202 ? JSON.stringify(answer.body.items?.[0]?.errors ?? []) : answer.text).includes('canary');

const isIgnored = ({ schema, way }: { schema: Json } & Leaf): boolean => {
  const last = way.reduce<Json | undefined>((at, key) => {
    const seen = at?.$ref ? components[String(at.$ref).split('/').pop() ?? ''] : at;
    const chosen = (seen?.anyOf as Json[] | undefined)?.[0] ?? seen;
    const inner = chosen?.$ref ? components[String(chosen.$ref).split('/').pop() ?? ''] : chosen;
    return typeof key === 'number' ? (inner?.items as Json) : (inner?.properties as Record<string, Json>)?.[key];
  }, schema);
  return String(last?.description ?? '').startsWith('ignored');
};

let callers = 0;

/** A new caller for each request, because a person has few tries a minute at routes that take a code. */
const newCaller = () => {
  callers += 1;
  return { ...EVERYTHING, user_id: `caller ${callers}` };
};

describe('an operator of the database in a request', () => {
  it('is refused in every field of every body, by the field’s name, and nothing is stored', async () => {
    const { served, fill } = await furnished();
    const before = await served.dump();
    const cases = values().filter((one) => !isIgnored(one));
    const faults = await findFaults(cases, async ({ one, example, way }, number) => {
      const value = OPERATORS[number % OPERATORS.length];
      const payload = withValue(example, way, value) as object;
      const answer = await served.ask(newCaller(), one.method, fill(one.path), { payload });
      const at = pointerOf(way);
      const isNamed = refusedAt(answer).some((pointer) => pointer.startsWith(at) || at.endsWith(pointer));
      if ([202, 422].includes(answer.status) && isNamed && !isRepeated(answer)) return;
      return `${one.name} ${at} ${JSON.stringify(value)}: ${answer.status} ${answer.text}`;
    });
    expect(faults).toEqual([]);
    expect(await served.dump()).toBe(before);
    expect(cases.length).toBeGreaterThan(100);
  });

  it('is refused as a name in every object of every body', async () => {
    const { served, fill } = await furnished();
    const before = await served.dump();
    const whole = bodies().map(({ one, example }) => ({ one, example, way: [] as Leaf['way'] }));
    const inner = values().filter(({ types }) => types.includes('object'));
    const faults = await findFaults([...whole, ...inner], async ({ one, example, way }, number) => {
      const key = [...way, KEYS[number % KEYS.length] ?? ''];
      const payload = withValue(example, key, { $ne: 1 }) as object;
      const answer = await served.ask(newCaller(), one.method, fill(one.path), { payload });
      if ([202, 422].includes(answer.status) && refusedAt(answer).length > 0) return;
      return `${one.name} ${pointerOf(key)}: ${answer.status} ${answer.text}`;
    });
    expect(faults).toEqual([]);
    expect(await served.dump()).toBe(before);
  });

  it('is refused in every parameter of every query', async () => {
    const { served, fill } = await furnished();
    const before = await served.dump();
    const cases = operations
      .filter(({ security }) => security?.length !== 0)
      .flatMap((one) => {
        const names = (one.parameters ?? []).filter(({ in: place }) => place === 'query').map(({ name }) => name);
        return [...names, 'filter'].map((name) => ({ one, name }));
      });
    const faults = await findFaults(cases, async ({ one, name }, number) => {
      const query = QUERIES[number % QUERIES.length]?.(name);
      const answer = await served.ask(newCaller(), one.method, `${fill(one.path)}?${query}`);
      return answer.status !== 422 && `${one.name}?${query}: ${answer.status} ${answer.text}`;
    });
    expect(faults).toEqual([]);
    expect(await served.dump()).toBe(before);
  });

  it('finds nothing where a path names it', async () => {
    const { served } = await furnished();
    const before = await served.dump();
    // A user id in the directory may have any characters: it is never more than a value there.
    const named = operations.filter(
      ({ path, method }) => path.includes('{') && !(method === 'PUT' && path.includes('{user_id}')),
    );
    const faults = await findFaults(named, async ({ method, path, requestBody }, number) => {
      const value = SEGMENTS[number % SEGMENTS.length] ?? '';
      const url = fillPath(path, () => encodeURIComponent(value));
      const example = requestBody?.content['application/json']?.example as object | undefined;
      const answer = await served.ask(newCaller(), method, url, example ? { payload: example } : {});
      // No one is asked to confirm what no one knows.
      const isNothing = [404, 422].includes(answer.status) || answer.text === '{"state":"not_asked"}';
      return !isNothing && `${method} ${url}: ${answer.status} ${answer.text}`;
    });
    expect(faults).toEqual([]);
    expect(await served.dump()).toBe(before);
  });
});

describe('a list of any length', () => {
  it('is refused soon in every field of every body', async () => {
    const { served, fill } = await furnished();
    const lists = values().filter(({ types }) => types.includes('array'));
    const slow: string[] = [];
    for (const { one, example, way } of lists) {
      const payload = withValue(example, way, Array(20_000).fill(1)) as object;
      const took = await cpuMsOf(async () => {
        expect([202, 422]).toContain((await served.ask(newCaller(), one.method, fill(one.path), { payload })).status);
      });
      if (took > 500) slow.push(`${one.name} ${pointerOf(way)}: ${took} ms`);
    }
    expect(slow).toEqual([]);
    expect(lists.length).toBeGreaterThan(20);
  });
});

describe('a refusal', () => {
  it('never repeats what was sent: it may be a secret, and ends in logs', async () => {
    const { served, fill } = await furnished();
    let refused = 0;
    // Values of another type are refused above.
    const texts = values().filter(({ types }) => types.includes('string'));
    const repeats = await findFaults(texts, async ({ one, example, way }) => {
      const payload = withValue(example, way, 'canary@example.org\u0000') as object;
      const answer = await served.ask(newCaller(), one.method, fill(one.path), { payload });
      if (answer.status < 400 && answer.status !== 202) return;
      refused += 1;
      return isRepeated(answer) && `${one.name} ${pointerOf(way)}`;
    });
    const headers = { authorization: 'Bearer canary', 'idempotency-key': 'canary key', 'if-match': 'canary' };
    const others = await findFaults(operations, async ({ name, method, path }) => {
      const answers = [
        await served.ask(newCaller(), method, `${fill(path)}?limit=canary&unknown=canary`),
        await served.ask(null, method, fill(path), { headers }),
      ];
      return answers.some(({ text }) => text.includes('canary')) && name;
    });
    expect([...repeats, ...others]).toEqual([]);
    expect(JSON.stringify(served.logged)).not.toContain('canary');
    expect(refused).toBeGreaterThan(300);
  });
});
