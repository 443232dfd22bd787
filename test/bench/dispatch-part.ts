import { Registry } from 'prom-client';
import { readConfig } from '../../src/config.ts';
import type { Fact, NewFact } from '../../src/facts/fact.ts';
import { deliver } from '../../src/notifications/deliver.ts';
import { fanOut } from '../../src/notifications/fan-out.ts';
import type { Channel } from '../../src/notifications/trigger.ts';
import { openChannel } from '../../src/wiring/channels.ts';
import { openStores } from '../../src/wiring/stores.ts';
import { LEFT_OUT, type Parts } from './left-out.ts';
import { servePart } from './part.ts';

/** Groups worked on at once, as in a worker. */
const SLOTS = 4;

const config = readConfig(process.env, ['mongo', 'redis', 'links', 'email', 'sms', 'push']);
const silent = { info() {}, warn() {}, error() {}, debug() {} };
const context = { config, log: silent, metrics: new Registry(), own: <T>(part: T): T => part } as never;
const stores = await openStores(context);
const channel = await openChannel(context, 'email', stores);
if (!channel) throw new Error('e-mail is off');

/**
 * The fan-out and the e-mail worker of one cancellation in one process, wired like ours but for what `without` leaves out:
 * from the fact to the last accepted mail and its written row. The queue between them is a list.
 */
servePart(async ({ event_id, without }: { event_id: string; without: string | null }) => {
  const event = await stores.events.findAnywhere(event_id);
  if (!event) throw new Error('no such event');
  const { tenant_id, school_id, sequence } = event;
  const cancelled = {
    ...{ tenant_id, school_id, event_id, type: 'event.cancelled' as const, occurred_at: new Date() },
    actor: { user_id: 'staff' },
    data: { sequence, reason: 'Storm', notify: true },
  } as NewFact;
  const [fact] = (await stores.transact((tx) => stores.facts.record([cancelled], tx))) as [Fact];
  await stores.facts.markHandedOn([fact.id]);
  const groups: string[][] = [];
  const deliveryQueue = {
    add: async (_: Channel, more: readonly { ids: string[] }[]) => void groups.push(...more.map(({ ids }) => ids)),
    depth: async () => ({ urgent: 0, bulk: 0, active: 0 }),
  };
  let sent = 0;
  const report: typeof channel.report = (settlement, row) => {
    channel.report(settlement, row);
    if (settlement.to === 'sent') sent += 1;
  };
  const whole: Parts = { ...channel, ...stores, report, deliveryQueue, openChannels: new Set<Channel>(['email']) };
  const deps = without === null ? whole : (LEFT_OUT[without]?.(whole, event) ?? whole);

  const from = performance.now();
  while ((await fanOut(deps, fact.id)).left);
  const slot = async () => {
    for (let ids = groups.shift(); ids; ids = groups.shift())
      for (let left = ids; left.length > 0; ) left = await deliver(deps, left);
  };
  await Promise.all(Array.from({ length: SLOTS }, slot));
  const ms = performance.now() - from;
  await stores.database.collection('deliveries').deleteMany({});
  return { count: sent, ms };
});
