import { cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { build } from 'esbuild';
import { BUNDLE, BUNDLED } from './bundle-options.ts';

const { metafile } = await build({ ...BUNDLE, metafile: true });

// Libraries ask that their licence stays with their code, and scanners look for their versions.
const folders = Object.keys(metafile.inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
for (const folder of new Set(folders)) {
  const files = readdirSync(folder).filter((name) => /^(package\.json|licen[cs]e|notice)/i.test(name));
  for (const name of files) cpSync(`${folder}/${name}`, `dist/libraries/${folder}/${name}`);
}

// A running process may still load files of the build that it was started from.
const YESTERDAY = Date.now() - 86_400_000;
for (const name of readdirSync(BUNDLED)) {
  const file = `${BUNDLED}/${name}`;
  if (statSync(file).mtimeMs < YESTERDAY) rmSync(file);
}
