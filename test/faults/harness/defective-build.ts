import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Defect } from './defects.ts';

const TOP = fileURLToPath(new URL('../../../', import.meta.url));
const COMMONJS =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/**
 * Builds the product with defects beside the real build. @returns its folder, to be given to `startWorld`
 * @throws when a text to replace is not in its file exactly once
 */
export async function defectiveBuild(
  name: string,
  defects: readonly Defect[],
): Promise<{ folder: URL; remove(): void }> {
  const folder = `${TOP}dist/defective-${name}/`;
  mkdirSync(folder, { recursive: true });
  cpSync(`${TOP}dist/texts.json`, `${folder}texts.json`);
  const planted = new Set<Defect>();
  await build({
    entryPoints: ['src/server.ts', 'workers/*.ts'],
    absWorkingDir: TOP,
    outdir: folder,
    outbase: TOP,
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    banner: { js: COMMONJS },
    chunkNames: 'src/bundled/[name]-[hash]',
    logLevel: 'warning',
    plugins: [
      {
        name: 'defects',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const own = defects.filter(({ file }) => path === `${TOP}${file}`);
            let text = readFileSync(path, 'utf8');
            for (const defect of own) {
              if (text.split(defect.from).length !== 2) throw new Error(`${path} has not once: ${defect.from}`);
              text = text.replace(defect.from, () => defect.to);
              planted.add(defect);
            }
            return { contents: text, loader: 'ts' };
          }),
      },
    ],
  });
  const missing = defects.filter((defect) => !planted.has(defect));
  if (missing.length > 0) throw new Error(`not part of the product: ${missing.map(({ file }) => file).join(', ')}`);
  return { folder: pathToFileURL(folder), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
