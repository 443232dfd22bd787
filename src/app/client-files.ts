import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientFile } from '../http/client-files.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

/** Where the build puts the client: beside the code. */
export function clientFolder(): string {
  const here = fileURLToPath(import.meta.url);
  const dist = here.endsWith('.ts') ? new URL('../../dist/', import.meta.url) : new URL('../../', import.meta.url);
  return fileURLToPath(new URL('web/', dist));
}

/** The built client, held in memory: a megabyte, and a request reads no disk. Empty where it was not built. */
export async function clientFiles(folder = clientFolder()): Promise<ClientFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)])
    .map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    names.map(async (path) => {
      const small = (ending: string) => readFile(`${path}.${ending}`).catch(() => null);
      const [body, br, gzip] = await Promise.all([readFile(path), small('br'), small('gz')]);
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
      const name = path.slice(folder.length).replaceAll('\\', '/');
      return { name, type: TYPES[extname(path)] ?? '', etag, body, br, gzip };
    }),
  );
}
