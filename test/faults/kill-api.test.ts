import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { draft, E, eventually, provideWorld } from '../support/world.ts';
import { row } from './harness/row.ts';

const REQUESTS = 200;
const BAR_MS = 20_000;

const world = provideWorld({ start: ['api'] });

/** Repeats a request with the same key until it is answered, as a client does after a lost answer. */
async function create(n: number): Promise<string> {
  for (;;) {
    const headers = { 'idempotency-key': `create-${n}` };
    const answer = await world.call('POST', E, draft({ title: `Event ${n}` }), { headers }).catch(() => null);
    if (answer?.status === 201) return String(answer.body.id);
    if (answer && answer.status !== 409 && answer.status !== 503) throw new Error(`${n}: ${answer.status}`);
    await delay(200);
  }
}

row(
  'api-keys',
  'a killed API frees the idempotency keys of its requests within 20 s, and no request is executed twice',
  async () => {
    const replies = world.database.collection('replies');
    const running = () => replies.countDocuments({ reply: { $exists: false } } as never);
    const [api] = world.processes;
    const creating = Array.from({ length: REQUESTS }, (_, n) => create(n));
    const created = Promise.all(creating);
    created.catch(() => {});
    await eventually('requests are under way', async () => (await running()) > 10);
    api?.send('SIGKILL');
    await api?.exited;
    expect(await running()).toBeGreaterThan(0);
    await world.start('api');
    const began = performance.now();
    const ids = await created;
    expect(performance.now() - began).toBeLessThan(BAR_MS);
    const rows = await world.database.collection('events').find({}).toArray();
    expect(rows.map(({ _id }) => _id).sort()).toEqual([...ids].sort());
  },
);
