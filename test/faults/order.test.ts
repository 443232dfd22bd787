import { Queue } from 'bullmq';
import { beforeAll } from 'vitest';
import { readConfig } from '../../src/app/config/config.ts';
import { queueSettings } from '../../src/app/queues.ts';
import { E, sharedWorld, type World } from '../support/world.ts';
import { expectPromises } from './harness/expect-promises.ts';
import { row } from './harness/row.ts';
import { busyHour, openSchool } from './harness/school.ts';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});

row(
  'last-word',
  'the cancellation is the last message about an event that is published, postponed and cancelled within moments',
  async ({ random, size, note }) => {
    const events = size(500, 10);
    const school = await openSchool(world, { people: size(30, 12), random });
    const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    const one = async () => {
      const event = await school.openEvent();
      const whom = random.shuffled(school.people).slice(0, 3);
      await school.register(event, whom);
      school.allow(event, 'event.postponed', ['email', 'sms', 'in_app'], whom);
      // The second publication is for those registered, if it is sent before the cancellation.
      school.allow(event, 'event.published', ['email', 'push', 'in_app'], whom);
      await school.ask(`${E}/${event}/postpone`, { new_start_date: day, reason: 'Rain' });
      await school.ask(`${E}/${event}/publish`);
      await school.cancel(event);
    };
    for (let i = 0; i < events; i += 30) await Promise.all(Array.from({ length: Math.min(30, events - i) }, one));
    note({ events });
    await expectPromises({ note }, world, school);
  },
);

row(
  'replayed-facts',
  'facts published again from the start and jobs added twice change nothing',
  async ({ random, size, note }) => {
    const school = await openSchool(world, { people: size(10_000, 200), push: 20, random });
    await busyHour(school, random, size(200, 40));
    await expectPromises({ note }, world, school);

    const { tenant_id } = school.scope;
    const mails = await world.deliveries({ tenant_id, channel: 'email', status: 'sent' });
    const facts = world.database.collection<{ tenant_id: string; relay?: string }>('facts');
    const { modifiedCount } = await facts.updateMany({ tenant_id }, { $set: { relay: 'pending' } });
    const { url, prefix } = queueSettings(readConfig(world.env, ['mongo', 'redis']));
    const queue = new Queue('email', { connection: { url }, prefix });
    const ids = mails.map(({ _id }) => _id);
    const jobs = random.shuffled([...ids, ...ids]).map((id) => ({ name: 'again', data: { ids: [id], tenant_id } }));
    await queue.addBulk(jobs);
    await queue.close();
    note({ facts: modifiedCount, jobs: jobs.length });
    await expectPromises({ note }, world, school);
  },
);
