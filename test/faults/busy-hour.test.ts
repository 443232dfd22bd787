import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { findFreePort } from '../../src/dev/services/local-server.ts';
import { WORKERS, type WorkerName } from '../../src/queues/names.ts';
import { LEASE_MS } from '../support/world.ts';
import { killAndReplace, latest, meanwhile, momentOf } from './harness/crew.ts';
import { COPIES_A_KILL, REST_MS, startEachWorker, world } from './harness/crew-world.ts';
import { expectPromises, waitForRest } from './harness/expect-promises.ts';
import { row } from './harness/row.ts';
import { busyHour, openSchool } from './harness/school.ts';

startEachWorker();

row(
  'each-worker-kill',
  'a busy hour in which every worker is killed loses nothing and oversells no event',
  async ({ random, size, note }) => {
    const [kills, people] = [size(60, WORKERS.length), size(3_000, 200)];
    const school = await openSchool(world, { people, push: Math.ceil(people / 10), random });
    let order: WorkerName[] = [];
    const next = (): WorkerName => {
      if (order.length === 0) order = random.shuffled(WORKERS);
      return order.pop() ?? 'email';
    };
    const busy = busyHour(school, random, Math.ceil(people / 4));
    await meanwhile(
      busy,
      kills,
      () => killAndReplace(world, next()),
      () => random.int(0, 600),
    );
    note({ kills });
    const each = COPIES_A_KILL * Math.ceil(kills / WORKERS.length);
    await expectPromises({ note }, world, school, {
      copies: { email: each, push: each, sms: each },
      atRestWithinMs: REST_MS,
    });
  },
);

row(
  'api-kill',
  'an API process killed between requests and commits loses nothing, repeats nothing and answers within 20 s',
  async ({ random, size, note }) => {
    const [kills, people] = [size(20, 2), size(2_000, 80)];
    const school = await openSchool(world, { people, random });
    const port = await findFreePort();
    school.origins.push(`http://127.0.0.1:${port}`);
    let second = await world.start('api', { PORT: String(port) });
    const busy = busyHour(school, random, Math.ceil(people / 2));
    const kill = async () => {
      second.send('SIGKILL');
      await second.exited;
      second = await world.start('api', { PORT: String(port) });
    };
    await meanwhile(busy, kills, kill, () => random.int(0, 400));
    await second.stop();
    note({ kills });
    await expectPromises({ note }, world, school);
  },
);

row(
  'email-paused',
  'an e-mail worker paused for three leases changes nothing when it resumes',
  async ({ random, size, note }) => {
    const people = size(1_000, 200);
    const school = await openSchool(world, { people, random });
    const paused = latest(world, 'email');
    const moment = momentOf(random.int(1, people / 2), () => paused.send('SIGSTOP'));
    world.smtp.misbehave((phase) => {
      if (phase === 'message') moment.call();
      return undefined;
    });
    const event = await school.announce();
    await moment.reached;
    world.smtp.misbehave(undefined);
    const began = Date.now();
    await world.start('email');
    await delay(3 * LEASE_MS - (Date.now() - began));
    await waitForRest(world, [school]);
    const before = await world.deliveries({ event_id: event, channel: 'email' });
    paused.send('SIGCONT');
    await paused.stop();
    expect(await world.deliveries({ event_id: event, channel: 'email' })).toEqual(before);
    await expectPromises({ note }, world, school, { copies: { email: 2 * COPIES_A_KILL } });
  },
);

row(
  'sigterm-rolling',
  'every process stopped by SIGTERM in a busy hour, with Redis down for a while, exits with 0 and repeats nothing',
  async ({ random, size, note }) => {
    const [rounds, people] = [size(5, 1), size(5_000, 200)];
    const school = await openSchool(world, { people, push: Math.ceil(people / 10), random });
    const limitMs = Number(world.env.SHUTDOWN_MS);
    let slowestMs = 0;
    const names = Array.from({ length: rounds }, () => random.shuffled(['api', ...WORKERS] as const)).flat();
    const withoutRedis = random.int(0, names.length);
    const replace = async (nth: number) => {
      const name = names[nth] ?? 'api';
      if (nth === withoutRedis) await world.redis.kill();
      const process = latest(world, name);
      const began = Date.now();
      process.send('SIGTERM');
      expect({ name, ...(await process.exited) }).toEqual({ name, code: 0, signal: null });
      slowestMs = Math.max(slowestMs, Date.now() - began);
      const channel = name.replace('-', '_');
      expect(await world.deliveries({ channel, status: { $in: ['claimed', 'sending'] } })).toEqual([]);
      if (nth === withoutRedis) await world.redis.restart();
      await world.start(name);
    };
    await meanwhile(busyHour(school, random, Math.ceil(people / 4)), names.length, replace, () => random.int(0, 200));
    note({ stops: names.length, 'slowest exit': `${(slowestMs / 1_000).toFixed(1)} s` });
    await expectPromises({ note }, world, school);
    expect(slowestMs).toBeLessThanOrEqual(limitMs);
  },
);
