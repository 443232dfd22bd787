import { defineChannelWorker } from '../src/app/channel-worker.ts';

defineChannelWorker('whatsapp');
