import { Registry } from 'prom-client';
import { openChannel } from '../../../src/app/channels.ts';
import { CHANNEL_NEEDS, type Config, readConfig } from '../../../src/app/config/config.ts';
import { queueSettings } from '../../../src/app/queues.ts';
import { openStores } from '../../../src/app/stores.ts';
import { deliver } from '../../../src/notifications/delivery/deliver.ts';
import { fanOut } from '../../../src/notifications/fan-out/fan-out.ts';
import type { Channel } from '../../../src/notifications/policy/trigger.ts';
import type { Fact, NewFact } from '../../../src/outbox/fact.ts';
import type { QueuedChannel } from '../../../src/people/channels.ts';
import { redisQueue } from '../job-queues.ts';
import { LEFT_OUT, type Parts } from '../left-out.ts';
import { servePart } from '../part.ts';

/** Groups in progress at once, as in a worker. */
const SLOTS = 4;
const NEEDS = ['mongo', 'redis', 'links', ...CHANNEL_NEEDS] as const;

const settings = readConfig(process.env, NEEDS);
const silent = { info() {}, warn() {}, error() {}, debug() {} };
const contextOf = (config: Config<(typeof NEEDS)[number]>) =>
  ({ config, log: silent, metrics: new Registry(), own: <T>(part: T): T => part }) as never;
const stores = await openStores(contextOf(settings));
const open = async (channel: QueuedChannel, config = settings) => {
  const opened = await openChannel(contextOf(config), channel, stores);
  if (!opened) throw new Error(`${channel} is off`);
  return opened;
};
const CHANNELS = {
  email: await open('email'),
  sms: await open('sms'),
  'sms, no budget': await open('sms', { ...settings, sms: settings.sms && { ...settings.sms, perDay: null } }),
};
const jobs = redisQueue(queueSettings(settings));

export type Dispatch = { event_id: string; count: number; by: keyof typeof CHANNELS; without: string | null };

/**
 * Runs the fan-out and the worker of one channel for one cancellation in one process, from the fact to the last accepted
 * message and its recorded row. The ports are the product's, except the guarantee named by `without`.
 */
servePart(async ({ event_id, count, by, without }: Dispatch) => {
  const event = await stores.events.findAnywhere(event_id);
  if (!event) throw new Error('no such event');
  const { tenant_id, school_id, sequence } = event;
  const cancelled = {
    ...{ tenant_id, school_id, event_id, type: 'event.cancelled' as const, occurred_at: new Date() },
    actor: { user_id: 'staff' },
    data: { sequence, reason: 'Storm', notify: true },
  } as NewFact;
  const [fact] = (await stores.transact((tx) => stores.facts.record([cancelled], tx))) as [Fact];
  await stores.facts.markPublished([fact.id]);
  const channel = CHANNELS[by];
  let settled = 0;
  let sent = 0;
  let whenSettled = () => {};
  const allSettled = new Promise<void>((resolve) => {
    whenSettled = resolve;
  });
  const report: typeof channel.report = (settlement, row) => {
    channel.report(settlement, row);
    settled += 1;
    if (settlement.to === 'sent') sent += 1;
    if (settled === count) whenSettled();
  };
  const openChannels = new Set<Channel>([channel.adapter.channel]);
  const isUnchanged = async () => true;
  const textOf = () => ({ title: '', body: '' });
  const factQueue = { publishParts: async () => {} };
  const ours = { report, jobs, factQueue, deliveryQueue: jobs.queue, openChannels, isUnchanged, textOf };
  const whole: Parts = { ...channel, ...stores, ...ours };
  const deps = without === null ? whole : (LEFT_OUT[without]?.(whole, event) ?? whole);

  const close = await deps.jobs.open(channel.adapter.channel, SLOTS, (ids) => deliver(deps, ids));
  const from = performance.now();
  const publishParts: Parts['factQueue']['publishParts'] = async (_, parts) => {
    for (const part of parts) await fanOut(deps, fact.id, part);
  };
  await fanOut({ ...deps, factQueue: { publishParts } }, fact.id);
  await allSettled;
  const ms = performance.now() - from;
  await close();
  await stores.database.collection('deliveries').deleteMany({});
  return { count: sent, ms };
});
