import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { type ReplicaSet, startReplicaSet } from '../support/replica-set.ts';
import { draft, E, eventually, type OwnWorld, startWorld } from '../support/world.ts';
import { row } from './harness/row.ts';

const BAR_MS = 20_000;

let set: ReplicaSet;
let world: OwnWorld;
beforeAll(async () => {
  set = await startReplicaSet();
  world = await startWorld({ start: ['api'], mongodbUri: set.uri.replace(/\/[^/?]*\?/, '/primary?') });
}, 180_000);
afterAll(async () => {
  await world?.end();
  await set?.stop();
});

row(
  'primary-change',
  'a change of the primary is answered with 503 and Retry-After, never with 500, and frees its keys soon',
  async () => {
    const { body } = await world.call('POST', E, draft());
    const one = `${E}/${body.id}`;
    const answers = new Map<number, number>();
    const created = new Set<string>();
    let longest = 0;
    let isOver = false;

    const note = (status: number, retryAfter: string | null, code: unknown): void => {
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (status === 503 && (retryAfter === null || code !== 'busy'))
        throw new Error(`503 ${code} without Retry-After`);
    };
    const ask = async (method: string, path: string, payload?: unknown, headers: Record<string, string> = {}) => {
      const answer = await world.call(method, path, payload, { headers });
      note(answer.status, answer.headers.get('retry-after'), answer.body.code);
      return answer;
    };
    const again = async (work: (n: number) => Promise<unknown>) => {
      for (let n = 0; !isOver; n++) {
        await work(n);
        await delay(10);
      }
    };
    /** Repeats the request with one key until it succeeds. */
    const create = async (n: number) => {
      const began = performance.now();
      for (;;) {
        const answer = await ask('POST', E, draft({ title: `Event ${n}` }), { 'idempotency-key': `create-${n}` });
        if (answer.status === 201) created.add(String(answer.body.id));
        if (answer.status === 201) break;
        await delay(100);
      }
      longest = Math.max(longest, performance.now() - began);
    };
    const load = Promise.all([
      again(() => ask('GET', E)),
      again(() => ask('GET', `${E}/calendar?view=month`)),
      again(() => ask('GET', one)),
      again((n) => ask('PATCH', one, { description: `said ${n}` })),
      again(() => ask('POST', E, draft())),
      ...[1, 2, 3, 4].map((lane) => again((n) => create(lane * 1_000_000 + n))),
    ]);
    load.catch(() => {});
    const goesOn = async () => {
      const before = created.size;
      await Promise.race([load, eventually('requests succeed', () => created.size > before + 20, 60_000)]);
    };
    await goesOn();
    await set.stepDown();
    await goesOn();
    const old = await set.endPrimary('SIGKILL');
    await goesOn();
    await old.restart({});
    await set.stepDown();
    await goesOn();
    isOver = true;
    await load;
    const failed = world.processes.flatMap(({ log }) => log.filter(({ msg }) => msg === 'http.request.failed'));
    expect(failed.map(({ route, stack }) => `${route} ${stack}`)).toEqual([]);
    expect([...answers.keys()].filter((status) => ![200, 201, 409, 503].includes(status))).toEqual([]);
    expect(longest).toBeLessThan(BAR_MS);
  },
);
