import { readConfig } from '../app/config/config.ts';
import { acceptDatabase, openMemories } from '../app/restore-guard.ts';
import { type DatabaseAge, isBehind, laterOf } from '../core/restore-guard.ts';
import { restoreGuardStore } from '../mongo/marks.ts';
import { withKnownDatabase } from '../mongo/open-database.ts';
import { runCommand, WrongArguments } from './run-command.ts';

/** Compares the age of the database with the remembered age, or accepts the database. @returns the line to print */
export async function restoreGuardCommand(env: NodeJS.ProcessEnv, accept: boolean): Promise<string> {
  const config = readConfig(env, ['mongo', 'redis']);
  let unwritten = '';
  const warn = (...[fault]: unknown[]) => {
    unwritten = `; EPOCH_FILE can’t be written: ${(fault as { why: string }).why}`;
  };
  const { memories, close } = await openMemories(config, { warn });
  return withKnownDatabase(config.mongo.uri, async (database) => {
    const store = restoreGuardStore(database);
    if (accept) {
      const { epoch } = await acceptDatabase(store, memories);
      return `accepted: epoch ${epoch}; the workers resume within seconds${unwritten}`;
    }
    const found = await Promise.all(memories.map((memory) => memory.read()));
    const remembered = found.reduce(laterOf, null);
    // Read last, so that the remembered age is never newer than that of a running database.
    const known = await store.readAge();
    const describe = (one: DatabaseAge | null) =>
      one ? `epoch ${one.epoch}, last active ${one.beat.toISOString()}` : 'nothing';
    const halted = isBehind(known, remembered) ? '; workers are halted until you accept it' : '';
    return `database: ${describe(known)}; remembered: ${describe(remembered)}${halted}`;
  }).finally(close);
}

const USAGE = `npm run restore-guard -- [accept]

Prints the age of the database and the remembered age.

  accept  accept the database as it is, so that workers send again after a backup was restored
`;

await runCommand('restore-guard', {
  usage: USAGE,
  run: async ([what, ...more]) => {
    if (more.length > 0 || (what !== undefined && what !== 'accept'))
      throw new WrongArguments('expected accept, or nothing');
    return { lines: [await restoreGuardCommand(process.env, what === 'accept')] };
  },
});
