import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUNDLE } from '../../src/build/bundle-options.ts';

/** Bundles a script of the tests as the product is: node starts it in a third of the time. @returns the file to start */
export async function bundleScript(script: URL): Promise<string> {
  const source = fileURLToPath(script);
  const folder = fileURLToPath(new URL('../../dist/test/', import.meta.url));
  await build({
    ...BUNDLE,
    entryPoints: [source],
    outdir: folder,
    outbase: fileURLToPath(new URL('.', script)),
    splitting: false,
  });
  return `${folder}${basename(source, '.ts')}.js`;
}
