import { WORKERS } from './queues/names.ts';

// `npm run worker -- NAME` starts the worker of that name, as if its own file had been run.

const NAMES: readonly string[] = [...WORKERS, 'all'];

const [, , name = '', ...more] = process.argv;
if (!NAMES.includes(name) || more.length > 0) {
  process.stderr.write(`npm run worker -- NAME takes one name: ${NAMES.join(', ')}\n`);
  process.exit(1);
}
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
process.argv[1] = `${import.meta.dirname}/../workers/${name}.${extension}`;
await import(`../workers/${name}.${extension}`);
