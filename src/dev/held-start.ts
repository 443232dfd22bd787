import { basename } from 'node:path';

// Loaded by `--import` into a process that is started before its settings are known (product-process.ts): loads what that
// process is going to need, which is most of a start, waits for the settings, and lets it begin.
const stores = () => import('../app/stores.ts');
const queues = () => import('../app/queues.ts');
const channels = () => Promise.all([import('../app/channels.ts'), import('../channels/templates/catalogue.ts')]);

const AHEAD: Record<string, readonly (() => Promise<unknown>)[]> = {
  server: [() => import('../app/http.ts'), () => import('../http/app.ts')],
  email: [queues, channels, () => import('../channels/email/email.ts'), () => import('../channels/email/smtp-pool.ts')],
  sms: [queues, channels, () => import('../channels/sms/sms.ts'), () => import('../channels/sms/twilio-client.ts')],
  push: [queues, channels, () => import('../channels/push/push.ts')],
  'in-app': [queues, channels, () => import('../channels/in-app/in-app.ts')],
  'fan-out': [
    queues,
    () => import('../notifications/fan-out/fan-out.ts'),
    () => import('../channels/templates/catalogue.ts'),
  ],
  relay: [queues],
  waitlist: [queues],
};

/** Longer than an ordered end may take. */
const NET_MS = 40_000;

let isHeld = true;
// Whoever was to send the settings is gone. Later an ordered end follows from it; this is for the moment before the
// process listens for it itself.
process.once('disconnect', () => (isHeld ? process.exit(1) : setTimeout(() => process.exit(1), NET_MS).unref()));

const settings = new Promise<NodeJS.ProcessEnv>((resolve) => {
  process.once('message', (message) => resolve(message as NodeJS.ProcessEnv));
});
const name = basename(process.argv[1] ?? '', '.js');
await Promise.all([stores(), ...(AHEAD[name] ?? []).map((load) => load())]);
Object.assign(process.env, await settings);
isHeld = false;
