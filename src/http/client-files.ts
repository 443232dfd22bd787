import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A file of the browser client, with what it shrinks to. */
export type ClientFile = {
  /** its path from the root of the site, without a slash in front */
  name: string;
  type: string;
  etag: string;
  body: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
};

/** Where people sign in: an OpenID provider that gives the tokens this service takes. */
export type SignIn = { issuer: string; clientId: string; scope: string };

const PAGE = 'index.html';

/** The addresses that are pages of the client; whatever else is not found stays not found. */
const PAGES = [
  '/',
  '/events',
  '/events/*',
  '/public/*',
  '/inbox',
  '/settings',
  '/statistics',
  '/ops',
  '/sign-in',
  '/sign-in/*',
];

const WHY = 'the browser client: the same files for everyone';

/** Serves the built client: its files, kept for ever where the name holds a hash, and its page for every page there is. */
export function serveClient(app: FastifyInstance, files: readonly ClientFile[], signIn: SignIn | null): void {
  const page = files.find(({ name }) => name === PAGE);
  if (!page) return;
  const options = { config: { open: WHY, unlimited: true as const }, schema: { hide: true } };
  for (const file of files) {
    if (file === page) continue;
    const isHashed = file.name.startsWith('assets/');
    const isPicture = file.type.startsWith('image/');
    const cached = isHashed ? 'public, max-age=31536000, immutable' : isPicture ? 'public, max-age=86400' : 'no-cache';
    app.get(`/${file.name}`, options, async (request, reply) =>
      answer(request, reply.header('cache-control', cached), file),
    );
  }
  const safe = {
    'content-security-policy': policy(signIn),
    'referrer-policy': 'same-origin',
    'cache-control': 'no-cache',
  };
  for (const url of PAGES) {
    app.get(url, options, async (request, reply) => answer(request, reply.headers(safe), page));
  }
}

/** Pictures of events may be anywhere on the web; everything else comes from here, and tokens from the provider. */
function policy(signIn: SignIn | null): string {
  const provider = signIn ? ` ${new URL(signIn.issuer).origin}` : '';
  return [
    "default-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' https: data:",
    `connect-src 'self'${provider}`,
  ].join('; ');
}

function answer(request: FastifyRequest, reply: FastifyReply, file: ClientFile): FastifyReply {
  const { etag, type } = file;
  reply.headers({ etag, vary: 'accept-encoding' });
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag)) return reply.code(304).send();
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = file.br && /\bbr\b/.test(accepted) ? 'br' : file.gzip && /\bgzip\b/.test(accepted) ? 'gzip' : null;
  if (encoding) reply.header('content-encoding', encoding);
  return reply.header('content-type', type).send((encoding && file[encoding]) ?? file.body);
}
