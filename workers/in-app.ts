import { defineChannelWorker } from '../src/channel-worker.ts';

export const inApp = defineChannelWorker(import.meta.url, 'in_app');
