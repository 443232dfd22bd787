import { defineChannelWorker } from '../src/channel-worker.ts';

export const push = defineChannelWorker('push');
