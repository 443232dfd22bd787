import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

const OUT = new URL('dist/web/', import.meta.url).pathname;

/** Texts are written as ICU messages, and compiled here: the browser gets no parser. */
const texts = (): Plugin => ({
  name: 'texts',
  enforce: 'pre',
  load(id) {
    if (!/\/src\/web\/texts\/.*\.json$/.test(id)) return null;
    const messages: Record<string, string> = JSON.parse(readFileSync(id, 'utf8'));
    const compiled = Object.entries(messages).map(([key, text]) => [key, compileMessage(text)] as const);
    return { code: `export default ${JSON.stringify(Object.fromEntries(compiled))}`, moduleType: 'js' };
  },
});

/** Every file also as small as it gets, since the server compresses nothing while somebody waits. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  closeBundle() {
    for (const entry of readdirSync(OUT, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(js|css|html|svg|webmanifest)$/.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      const body = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(body));
      writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }));
    }
  },
});

/** The page that most come to first, with what leads to it: it is kept together, since each file costs a request. */
const FIRST = /\/src\/web\/(main|calendar\/page)\.tsx$/;

/** Whether a module is needed as soon as that page is shown. */
function isNeededFirst(id: string, context: Rolldown.ChunkingContext, seen = new Set<string>()): boolean {
  if (FIRST.test(id)) return true;
  if (seen.has(id)) return false;
  seen.add(id);
  return context.getModuleInfo(id)?.importers.some((one) => isNeededFirst(one, context, seen)) ?? false;
}

/** The browser client. */
export default defineConfig({
  root: 'src/web',
  plugins: [texts(), react(), tailwindcss(), compressed()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    // As data: they would need more from the content security policy.
    assetsInlineLimit: 0,
    target: 'es2023',
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules/, tags: ['$initial'], priority: 2 },
            {
              debugName: 'common',
              name: (id, context) => (isNeededFirst(id, context) ? 'common' : null),
              minShareCount: 2,
              priority: 1,
            },
          ],
        },
      },
    },
  },
});
