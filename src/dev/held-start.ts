import { basename } from 'node:path';

// Preloaded with `--import` into a process whose settings are not known yet (product-process.ts): imports its modules, which
// is most of a start, then waits for the settings.
const stores = () => import('../app/stores.ts');
const queues = () => import('../app/queues.ts');
const channels = () => Promise.all([import('../app/channel-worker.ts'), import('../channels/templates/catalogue.ts')]);

const PRELOADED: Record<string, readonly (() => Promise<unknown>)[]> = {
  server: [() => import('../app/http.ts'), () => import('../http/app.ts')],
  email: [queues, channels, () => import('../channels/email/email.ts'), () => import('../channels/email/smtp-pool.ts')],
  sms: [queues, channels, () => import('../channels/sms/sms.ts'), () => import('../channels/sms/twilio-client.ts')],
  push: [queues, channels, () => import('../channels/push/push.ts')],
  'fan-out': [
    queues,
    () => import('../notifications/fan-out/fan-out.ts'),
    () => import('../channels/templates/catalogue.ts'),
  ],
  relay: [queues],
  waitlist: [queues],
  all: [queues, channels, () => import('../notifications/fan-out/fan-out.ts')],
};

/** Longer than an orderly shutdown may take. */
const SHUTDOWN_MS = 40_000;

let isHeld = true;
// The parent has died. The process handles that itself once it runs; this covers the time before.
process.once('disconnect', () => (isHeld ? process.exit(1) : setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()));

const settings = new Promise<NodeJS.ProcessEnv>((resolve) => {
  process.once('message', (message) => resolve(message as NodeJS.ProcessEnv));
});
const name = basename(process.argv[1] ?? '', '.js');
await Promise.all([stores(), ...(PRELOADED[name] ?? []).map((load) => load())]);
Object.assign(process.env, await settings);
isHeld = false;
