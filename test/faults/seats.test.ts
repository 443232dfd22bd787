import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect } from 'vitest';
import { audit } from '../../src/cli/audit.ts';
import type { ProductProcess } from '../../src/dev/product-process.ts';
import { findFreePort } from '../../src/dev/services/local-server.ts';
import { E, provideWorld, publishEvent, SCHOOL } from '../support/world.ts';
import { row } from './harness/row.ts';

const SEATS = 100;
/** Retry-After, shortened. */
const RETRY_MS = 200;

const origins: string[] = [];
const processes: ProductProcess[] = [];
const world = provideWorld({ start: [] });
beforeAll(async () => {
  for (let n = 0; n < 4; n++) {
    const port = n === 0 ? Number(new URL(world.apiUrl).port) : await findFreePort();
    processes.push(await world.start('api', { PORT: String(port) }));
    origins.push(`http://127.0.0.1:${port}`);
  }
});

const hotEvent = (more: Record<string, unknown> = {}): Promise<string> =>
  publishEvent(world, {
    registration_type: 'required',
    registration_deadline: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    max_attendees: SEATS,
    waitlist_enabled: true,
    ...more,
  });

type Answer = { status: number; body: { id: string; status: string; code?: string; waitlist_position: number | null } };

const tokens = new Map<string, string>();
async function tokenOf(user_id: string): Promise<string> {
  const known = tokens.get(user_id);
  if (known) return known;
  const made = await world.token({ ...SCHOOL, user_id, roles: ['student'] });
  tokens.set(user_id, made);
  return made;
}

async function post(origin: string, path: string, user_id: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf(user_id)}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(path.endsWith('/registrations') ? { kind: 'attendee' } : {}),
  });
  return { status: answer.status, body: (await answer.json()) as Answer['body'] } satisfies Answer;
}

/** Registers as a real client does: repeats the request after a 503. */
async function register(
  origin: string,
  id: string,
  user_id: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  for (;;) {
    const answer = await post(origin, `${E}/${id}/registrations`, user_id, headers);
    // 409: the request whose process died is still in flight.
    if (answer.status !== 503 && answer.body.code !== 'idempotency_in_flight') return answer;
    await delay(RETRY_MS);
  }
}

const rowsOf = async (id: string) =>
  (await world.database
    .collection('registrations')
    .find({ event_id: id } as never)
    .toArray()) as unknown as {
    _id: string;
    user_id: string;
    status: string;
    waitlist_number: number | null;
    promoted_because: string | null;
  }[];

/** Expects counters that equal rows, no oversold event, and no waiting people beside a free seat. */
async function expectSoundSeats(): Promise<void> {
  expect(await audit(world.env.MONGODB_URI ?? '', false)).toMatchObject({ faulty: 0 });
}

const origin = (n: number): string => origins[n % origins.length] as string;

row(
  'hot-event',
  'thousands of registrations through four API processes get seats and waitlist places in order, also while others cancel',
  async ({ size }) => {
    const people = size(10_000, 1_000);
    const id = await hotEvent();
    const took: number[] = [];
    const answers = await Promise.all(
      Array.from({ length: people }, async (_, n) => {
        await tokenOf(`person-${n}`);
        const from = performance.now();
        const answer = await register(origin(n), id, `person-${n}`);
        took.push(performance.now() - from);
        return answer;
      }),
    );
    const count = (status: string) => answers.filter(({ body }) => body.status === status).length;
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect({ confirmed: count('confirmed'), waitlisted: count('waitlisted') }).toEqual({
      confirmed: SEATS,
      waitlisted: people - SEATS,
    });
    const places = answers.flatMap(({ body }) => body.waitlist_position ?? []).sort((a, b) => a - b);
    expect(places).toEqual(Array.from({ length: people - SEATS }, (_, i) => i + 1));
    expect(took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)]).toBeLessThan(30_000);

    const seated = answers.filter(({ body }) => body.status === 'confirmed').map(({ body }) => body.id);
    const leaving = (await rowsOf(id)).filter((row) => seated.slice(0, 40).includes(row._id));
    await Promise.all([
      ...leaving.map((row, n) => post(origin(n), `${E}/${id}/registrations/${row._id}/cancel`, row.user_id)),
      ...Array.from({ length: 40 }, (_, n) => register(origin(n), id, `late-${n}`)),
    ]);
    const rows = await rowsOf(id);
    expect(rows.filter((row) => row.status === 'confirmed')).toHaveLength(SEATS);
    const promoted = rows.filter((row) => row.promoted_because === 'cancelled').map((row) => row.waitlist_number ?? 0);
    expect(promoted.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    await expectSoundSeats();
  },
);

row('hot-event-repeats', '500 people who register twenty times each have one registration each', async () => {
  const id = await hotEvent({ max_attendees: 300 });
  const people = Array.from({ length: 500 }, (_, n) => `eager-${n}`);
  const answers = await Promise.all(
    people.flatMap((user_id, n) => Array.from({ length: 20 }, (_, press) => register(origin(n + press), id, user_id))),
  );
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(500);
  expect(new Set(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(
    new Set(['already_registered']),
  );
  const rows = await rowsOf(id);
  expect(new Set(rows.map((row) => row.user_id)).size).toBe(500);
  expect(rows.filter((row) => row.status === 'confirmed')).toHaveLength(300);
  await expectSoundSeats();
});

row(
  'hot-event-kill',
  'everyone gets one place and one answer to the same key when an API process is killed while it commits',
  async () => {
    const id = await hotEvent();
    const killed = processes[3] as ProductProcess;
    const people = Array.from({ length: 600 }, (_, n) => `brave-${n}`);
    const first = people.map(async (user_id) => {
      const answer = await post(origins[3] as string, `${E}/${id}/registrations`, user_id, {
        'idempotency-key': `key-${user_id}`,
      }).catch(() => null);
      // With the first answer, the first group is stored and the next ones are in progress.
      if (answer?.status === 201) killed.send('SIGKILL');
      return answer;
    });
    const before = await Promise.all(first);
    await killed.exited;
    expect(before.some((answer) => answer === null)).toBe(true);
    const after = await Promise.all(
      people.map((user_id, n) =>
        register(origins[n % 3] as string, id, user_id, { 'idempotency-key': `key-${user_id}` }),
      ),
    );
    expect(after.map(({ status }) => status)).toEqual(people.map(() => 201));
    for (const [n, answer] of before.entries()) if (answer?.status === 201) expect(after[n]).toEqual(answer);
    const rows = await rowsOf(id);
    expect(rows.map((row) => row._id).sort()).toEqual(after.map(({ body }) => body.id).sort());
    expect(rows.filter((row) => row.status === 'confirmed')).toHaveLength(SEATS);
    const facts = { event_id: id, type: { $in: ['registration.confirmed', 'registration.waitlisted'] } };
    expect(await world.database.collection('facts').countDocuments(facts as never)).toBe(people.length);
    await expectSoundSeats();
  },
);
