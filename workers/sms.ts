import { defineChannelWorker } from '../src/app/channel-worker.ts';

export const sms = defineChannelWorker('sms');
