import { defineWorker } from '../src/app/define-worker.ts';
import { clock } from './clock.ts';
import { email } from './email.ts';
import { fanOutWorker } from './fan-out.ts';
import { inApp } from './in-app.ts';
import { push } from './push.ts';
import { relay } from './relay.ts';
import { sms } from './sms.ts';
import { waitlist } from './waitlist.ts';

/** Every worker in a single process: for development and very small schools. */
export const all = defineWorker({
  name: 'all',
  needs: ['mongo', 'redis', 'links', 'email', 'sms', 'push'],
  async start(context) {
    for (const worker of [relay, fanOutWorker, email, sms, push, inApp, waitlist, clock]) await worker.start(context);
  },
});
