import { defineChannelWorker } from '../src/app/channel-worker.ts';

export const email = defineChannelWorker('email');
