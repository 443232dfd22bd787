import { defineChannelWorker } from '../src/channel-worker.ts';

export const sms = defineChannelWorker(import.meta.url, 'sms');
