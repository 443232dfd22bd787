import { defineChannelWorker } from '../src/app/channel-worker.ts';

export const inApp = defineChannelWorker('in_app');
