import { defineChannelWorker } from '../src/app/channel-worker.ts';
import { CHANNEL_NEEDS } from '../src/app/config/config.ts';
import { defineWorker } from '../src/app/define-worker.ts';
import { QUEUED_CHANNELS } from '../src/people/channels.ts';
import { clock } from './clock.ts';
import { fanOutWorker } from './fan-out.ts';
import { relay } from './relay.ts';
import { waitlist } from './waitlist.ts';
import { webhooks } from './webhooks.ts';

/** Runs every worker in one process, for development and very small schools. */
export const all = defineWorker({
  name: 'all',
  needs: ['mongo', 'redis', 'links', 'files', 'webhooks', ...CHANNEL_NEEDS],
  async start(context) {
    const channels = QUEUED_CHANNELS.map(defineChannelWorker);
    for (const worker of [relay, fanOutWorker, ...channels, waitlist, webhooks, clock]) await worker.start(context);
  },
});
