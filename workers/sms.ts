import { defineChannelWorker } from '../src/channel-worker.ts';

export const sms = defineChannelWorker('sms');
