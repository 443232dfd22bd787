import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';
import { LOCALES } from './src/people/contact.ts';

const BOOT = new URL('src/web/boot.ts', import.meta.url).pathname;
const ICONS = new URL('src/web/parts/draw-icon.ts', import.meta.url).pathname;
const ROUTER = new URL('src/web/app/router.tsx', import.meta.url).pathname;
const OUT = new URL('dist/web/', import.meta.url).pathname;

/** In Czech no line ends with a word of one letter: the space behind it becomes one that does not break. */
const tied = (text: string): string => text.replace(/(?<=(?:^|[\s(„{])[aikosuvz]) /gi, '\u00a0');

/** Texts are written as ICU messages, and compiled here: the browser gets no parser. */
const texts = (): Plugin => ({
  name: 'texts',
  enforce: 'pre',
  load(id) {
    if (!/\/src\/web\/texts\/.*\.json$/.test(id)) return null;
    const messages: Record<string, string> = JSON.parse(readFileSync(id, 'utf8'));
    const isCzech = id.includes('/cs/');
    const compiled = Object.entries(messages).map(([key, text]) => [key, compileMessage(isCzech ? tied(text) : text)]);
    return { code: `export default ${JSON.stringify(Object.fromEntries(compiled))}`, moduleType: 'js' };
  },
});

/** Icons are drawn by us: lucide takes the more time the more of them there are. */
const icons = (): Plugin => ({
  name: 'icons',
  enforce: 'pre',
  resolveId: (id, from) => (/createLucideIcon\.mjs$/.test(id) && from?.includes('lucide-react') ? ICONS : null),
  // The keys are for React, which draws each line of an icon in lucide's own component.
  transform: (code, id) => (/lucide-react.*\/icons\//.test(id) ? code.replaceAll(/,\s*key: "\w+"/g, '') : null),
});

/** Writes the addresses of the pages for the API, which serves no other: all paths that the router names. */
const pages = (): Plugin => ({
  name: 'pages',
  apply: 'build',
  generateBundle() {
    const paths = readFileSync(ROUTER, 'utf8').matchAll(/'(\/[^']*)'/g);
    const urls = new Set([...paths].map(([, path = '']) => path.replaceAll('$', ':')));
    this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify([...urls]) });
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

/** All files that a module brings with it, but for those the page itself names. */
function filesOf(bundle: Rolldown.OutputBundle, module: string): string[] {
  const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
  const known = new Set<string>();
  const add = (name: string) => {
    if (known.has(name)) return;
    known.add(name);
    chunks.find(({ fileName }) => fileName === name)?.imports.forEach(add);
  };
  add(chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module))?.fileName ?? '');
  const entry = chunks.find(({ facadeModuleId }) => facadeModuleId === DOCUMENT);
  return [...known]
    .filter((name) => name !== entry?.fileName && !entry?.imports.includes(name))
    .map((name) => `/${name}`);
}

/** What runs before the page is painted, as a script of its own in its head; it knows which files come next. */
const boot = (): Plugin => {
  let src = '';
  return {
    name: 'boot',
    apply: 'build',
    async generateBundle(_options, bundle) {
      const texts = Object.fromEntries(LOCALES.map((one) => [one, filesOf(bundle, `/texts/${one}/first.json`)]));
      const FILES = { texts, calendar: filesOf(bundle, '/calendar/page.tsx') };
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        define: { FILES: JSON.stringify(FILES) },
        build: { write: false, target: 'es2023', lib: { entry: BOOT, formats: ['iife'], name: 'boot' } },
      });
      const [{ output }] = [built].flat() as [Rolldown.RolldownOutput];
      const reference = this.emitFile({ type: 'asset', name: 'boot.js', source: output[0].code });
      src = `/${this.getFileName(reference)}`;
    },
    // After what says how wide the window is, since it asks for that.
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace(/(<meta name="viewport"[^>]*>)/, `$1\n    <script src="${src}"></script>`),
    },
  };
};

/** The page that most come to first: it is an entry beside the document, so that both share files; each file costs a request. */
const CALENDAR = new URL('src/web/calendar/page.tsx', import.meta.url).pathname;
const DOCUMENT = new URL('src/web/index.html', import.meta.url).pathname;

/** The browser client. */
export default defineConfig({
  root: 'src/web',
  plugins: [texts(), icons(), react(), tailwindcss(), boot(), pages(), compressed()],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    // As data: they would need more from the content security policy.
    assetsInlineLimit: 0,
    target: 'es2023',
    rolldownOptions: {
      input: [DOCUMENT, CALENDAR],
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', test: /node_modules/, tags: ['$initial'], priority: 2 },
            { name: 'common', tags: ['$initial'], minShareCount: 2, priority: 1 },
            { name: 'pages', test: /node_modules\/(@tanstack|lucide-react)/, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
