import { WORKERS } from './queues/names.ts';

// `npm run worker -- NAME` starts the worker of that name, as if its own file had been run.

const NAMES: readonly string[] = [...WORKERS, 'all'];

const [, , name = '', ...more] = process.argv;
if (!NAMES.includes(name) || more.length > 0) {
  process.stderr.write(`npm run worker -- NAME takes one name: ${NAMES.join(', ')}\n`);
  process.exit(1);
}
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const file = `${import.meta.dirname}/../workers/${name}.${extension}`;
process.argv[1] = file;
await import(file);
