import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SignIn } from './deps.ts';

const PAGE = 'index.html';

/** The public calendar as a part of a school's website: the only page that other sites may show in a frame. */
const EMBEDDED = '/embed/:school';

/** The addresses of the pages, written by the build of the client from its router. */
const PAGES = 'pages.json';

const WHY = 'the browser client: the same files for everyone';

/**
 * Serves the built client in `root`, if there is one: its files, and its page at every address that is one of its pages.
 * @throws Error if the client was built by an earlier version
 */
export function serveClient(app: FastifyInstance, root: string, signIn: SignIn | null): void {
  if (!existsSync(join(root, PAGE))) return;
  const pages = join(root, PAGES);
  if (!existsSync(pages)) throw new Error(`${pages} is missing: run \`npm run build\``);
  app.register(async (client) => {
    client.addHook('onRoute', (route) => {
      route.config = { ...route.config, open: WHY, unlimited: true };
    });
    await client.register(files, {
      root,
      // A route for each file, so that everything else is not found as elsewhere.
      wildcard: false,
      globIgnore: [PAGE, PAGES, 'manifest.json', '**/*.{br,gz,map}'],
      preCompressed: true,
      cacheControl: false,
      // The service worker loads the other files under the policy of its own file.
      setHeaders: (reply, path) => {
        // A page has headers of its own, also as a compressed file.
        if (basename(path).startsWith(PAGE)) return;
        reply.headers({ 'cache-control': cacheOf(path), 'content-security-policy': policy(signIn) });
      },
    });
    for (const url of JSON.parse(readFileSync(pages, 'utf8')) as string[]) {
      client.get(url, { schema: { hide: true } }, (_request, reply) =>
        reply.headers(pageHeaders(signIn, url === EMBEDDED ? '*' : "'none'")).sendFile(PAGE),
      );
    }
  });
}

/**
 * Answers 404 with the client's page, which says that there is no such page, to a browser that opens an unknown address.
 * @returns null for other requests
 */
export function missingPages(root: string, signIn: SignIn | null) {
  const path = join(root, PAGE);
  const page = existsSync(path) ? readFileSync(path) : null;
  return ({ method, url, headers }: FastifyRequest, reply: FastifyReply): FastifyReply | null => {
    const isOpened = method === 'GET' && headers.accept?.startsWith('text/html') && !url.startsWith('/api/');
    return page && isOpened
      ? reply.code(404).headers(pageHeaders(signIn)).type('text/html; charset=utf-8').send(page)
      : null;
  };
}

const pageHeaders = (signIn: SignIn | null, framedBy = "'none'") => ({
  'content-security-policy': policy(signIn, framedBy),
  'referrer-policy': 'same-origin',
  'cache-control': 'no-cache',
});

/** Names in `assets` hold a hash of the content, so such a file never changes. */
function cacheOf(path: string): string {
  if (basename(dirname(path)) === 'assets') return 'public, max-age=31536000, immutable';
  return /\.(svg|png)(\.br|\.gz)?$/.test(path) ? 'public, max-age=86400' : 'no-cache';
}

/** Pictures of events may be anywhere on the web; everything else comes from here, and tokens from the provider. */
function policy(signIn: SignIn | null, framedBy = "'none'"): string {
  const provider = signIn ? ` ${new URL(signIn.issuer).origin}` : '';
  return [
    "default-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy}`,
    "img-src 'self' https: data:",
    `connect-src 'self'${provider}`,
  ].join('; ');
}
