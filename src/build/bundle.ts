import { readdirSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const DIST = fileURLToPath(new URL('../../', import.meta.url));
/** As deep as the files they are made of, so that paths relative to a module stay true. */
const BUNDLED = 'src/bundled';

/** Libraries of the CommonJS kind ask for these. */
const COMMONJS = [
  "import { createRequire as requireFrom } from 'node:module';",
  "import { fileURLToPath as pathOf } from 'node:url';",
  "import { dirname as folderOf } from 'node:path';",
  'const require = requireFrom(import.meta.url);',
  'const __filename = pathOf(import.meta.url);',
  'const __dirname = folderOf(__filename);',
].join('\n');

const workers = readdirSync(`${DIST}workers`).filter((name) => name.endsWith('.js'));

// Puts what `tsc` made of each process, and its libraries, into a few files under the same names: to read hundreds of
// small files is half of a start. A build is good without it too, and `tsc` undoes it.
await build({
  entryPoints: [
    'src/server.js',
    'src/dev/demo.js',
    'src/dev/held-start.js',
    ...workers.map((name) => `workers/${name}`),
  ],
  absWorkingDir: DIST,
  outdir: DIST,
  outbase: DIST,
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  // Half the text to read; names stay, for what is logged of an error.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: true,
  sourcesContent: false,
  banner: { js: COMMONJS },
  chunkNames: `${BUNDLED}/[name]-[hash]`,
  // These read files of their own beside them.
  external: ['@fastify/swagger-ui', 'twilio', 'mongodb-memory-server-core'],
  logLevel: 'warning',
});

// A process that is running may still load a part of the build it was started from.
const YESTERDAY = Date.now() - 86_400_000;
for (const name of readdirSync(`${DIST}${BUNDLED}`)) {
  const file = `${DIST}${BUNDLED}/${name}`;
  if (statSync(file).mtimeMs < YESTERDAY) rmSync(file);
}
