import type { Worker } from './worker.ts';

/** `npm run worker -- NAME`: starts the worker of that name, as its own file does. */
const NAMES = ['relay', 'fan-out', 'email', 'sms', 'push', 'in-app', 'waitlist', 'clock', 'all'];

const [, , name = ''] = process.argv;
if (!NAMES.includes(name)) {
  process.stderr.write(`worker "${name}" is not known; there are ${NAMES.join(', ')}\n`);
  process.exit(1);
}
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const module = (await import(`../workers/${name}.${extension}`)) as Record<string, Worker<never>>;
const { runProcess } = await import('./process.ts');
for (const worker of Object.values(module)) await runProcess(worker);
