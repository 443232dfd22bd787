import { defineChannelWorker } from '../src/channel-worker.ts';

export const email = defineChannelWorker('email');
