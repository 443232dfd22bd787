import { defineChannelWorker } from '../src/channel-worker.ts';

export const inApp = defineChannelWorker('in_app');
