import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import project from '../../package.json' with { type: 'json' };

/** The folder of the project, with a slash at its end. */
export const TOP = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../' : '../../../', import.meta.url));
/** As deep in the folders as the sources, so that paths relative to a module stay valid. */
export const BUNDLED = `${TOP}dist/src/bundled`;

/** CommonJS libraries need these; a name of ours would collide with a function of the same name. */
const COMMONJS = [
  "import { createRequire as requireFrom } from 'node:module';",
  "import { fileURLToPath as __pathOf } from 'node:url';",
  "import { dirname as __folderOf } from 'node:path';",
  'const require = requireFrom(import.meta.url);',
  'const __filename = __pathOf(import.meta.url);',
  'const __dirname = __folderOf(__filename);',
].join('\n');

/** Bundles processes and commands with their libraries into a few files, since reading hundreds of small ones takes half of a start. */
export const BUNDLE: BuildOptions = {
  entryPoints: ['src/server.ts', 'src/worker.ts', 'src/dev/demo.ts', 'src/dev/dev.ts', 'src/cli/*.ts', 'workers/*.ts'],
  absWorkingDir: TOP,
  outdir: 'dist',
  outbase: '.',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  // Halves the code; keeps names for logged errors.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: true,
  sourcesContent: false,
  banner: { js: COMMONJS },
  chunkNames: 'src/bundled/[name]-[hash]',
  // They read files beside their code, or load native code: the image has the `dependencies`, and only a clone the others.
  external: [...Object.keys(project.dependencies), 'esbuild', 'mjml', 'mongodb-memory-server-core'],
  logLevel: 'warning',
};
