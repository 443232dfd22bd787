import { defineChannelWorker } from '../src/app/channel-worker.ts';

export const push = defineChannelWorker('push');
