import { readdirSync, rmSync, statSync } from 'node:fs';
import { build } from 'esbuild';
import { BUNDLE, BUNDLED } from './bundle-options.ts';

await build(BUNDLE);

// A process that is running may still load a part of the build it was started from.
const YESTERDAY = Date.now() - 86_400_000;
for (const name of readdirSync(BUNDLED)) {
  const file = `${BUNDLED}/${name}`;
  if (statSync(file).mtimeMs < YESTERDAY) rmSync(file);
}
