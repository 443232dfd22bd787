import { readdirSync, rmSync, statSync } from 'node:fs';
import { build } from 'esbuild';
import { BUNDLE, BUNDLED } from './bundle-options.ts';

await build(BUNDLE);

// A running process may still load files of the build that it was started from.
const YESTERDAY = Date.now() - 86_400_000;
for (const name of readdirSync(BUNDLED)) {
  const file = `${BUNDLED}/${name}`;
  if (statSync(file).mtimeMs < YESTERDAY) rmSync(file);
}
