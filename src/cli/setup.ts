import { parseArgs } from 'node:util';
import { readConfig } from '../app/config/config.ts';
import { withDatabase } from '../mongo/open-database.ts';
import { runCommand } from './run-command.ts';

const USAGE = `npm run setup -- [--plan]

Creates collections and indexes and runs migrations. Safe to repeat.

  --plan  only print what would change
`;

await runCommand('setup', {
  usage: USAGE,
  run: async (args) => {
    const { plan } = parseArgs({ args, options: { plan: { type: 'boolean' } } }).values;
    const { uri } = readConfig(process.env, ['mongo']).mongo;
    return withDatabase(uri, async (database) => {
      const lines = plan ? await database.planSetUp() : await database.setUp().then(() => []);
      const done = `collections, indexes and migrations of the database ${database.name} are up to date`;
      return { lines: lines.length > 0 ? lines : [done] };
    });
  },
});
