import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { notFound, type Refusal } from '../../core/errors.ts';
import type { QueueBoardLink } from '../../people/links.ts';
import { problemReply, sendReply } from '../error-handler.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { described } from '../schemas/fields.ts';

export const QUEUE_BOARD = '/ops/queues';

const COOKIE = 'schoolbell_queues';
const OPEN_MS = 30 * 60_000;

/** The board's own scripts; its styles are inline, and its fonts of another site are left out. */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "base-uri 'self'",
  "object-src 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD';

/** The changes that the board allows. Jobs only announce rows of MongoDB, so adding or deleting them helps no one. */
const CHANGES = /^\/api\/queues(\/:\w+){0,2}\/(pause|resume|promote|retry(\/:queueStatus)?)$/;

/**
 * The board of the queues. A browser opens pages without a token, so people exchange their token for a cookie that only these
 * pages get, for half an hour.
 */
export function queueBoardRoutes(routes: Routes): void {
  const { queueBoard: board, links, clock, publicUrl } = routes.deps;
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';

  routes.post(`${OPERATIONS}/queues/board`, {
    access: { permission: 'manage_queues' },
    name: 'openQueueBoard',
    summary: 'Open the queue board',
    description: `Sets a cookie with which the browser opens ${QUEUE_BOARD} for half an hour.`,
    returnsSecret: true,
    responses: { 200: described('Where the board is', { url: Type.String() }) },
    refusals: ['not_found'],
    handle: async (_deps, { tenant_id, school_id, user_id }) => {
      if (!board) throw notFound();
      const until = clock.now().getTime() + OPEN_MS;
      const cookie = `${COOKIE}=${links.queueBoard({ tenant_id, school_id, user_id, until })}`;
      const scope = `Path=${QUEUE_BOARD}; Max-Age=${OPEN_MS / 1000}; HttpOnly; SameSite=Strict${secure}`;
      return { status: 200, body: { url: QUEUE_BOARD }, headers: { 'set-cookie': `${cookie}; ${scope}` } };
    },
  });

  if (!board) return;
  routes.app.register(async (pages) => {
    /** The sender of each request, read once, because the cookie may expire before the response is sent. */
    const people = new WeakMap<FastifyRequest, QueueBoardLink>();
    const refuse = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) =>
      sendReply(reply, problemReply(refusal, request.id, publicUrl));
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, open: 'the cookie names a person with the permission' };
    });
    pages.addHook('onRequest', async (request, reply) => {
      reply.header('content-security-policy', POLICY);
      const path = request.routeOptions.url?.slice(QUEUE_BOARD.length) ?? '';
      const [, cookie = ''] = new RegExp(`(?:^|; )${COOKIE}=([^;]+)`).exec(request.headers.cookie ?? '') ?? [];
      const person = links.readQueueBoard(cookie);
      if (!person || person.until <= clock.now().getTime()) {
        if (isRead(request) && !path.startsWith('/api/')) return reply.redirect('/ops', 303);
        return refuse(request, reply, { code: 'unauthenticated', detail: 'Open the queue board again from Delivery.' });
      }
      people.set(request, person);
      if (!isRead(request) && !CHANGES.test(path))
        return refuse(request, reply, {
          code: 'forbidden',
          detail: 'The queue board only pauses, resumes and retries.',
        });
    });
    pages.addHook('onResponse', async (request, reply) => {
      const person = people.get(request);
      if (!person || isRead(request)) return;
      const { tenant_id: tenantId, school_id: schoolId, user_id: userId } = person;
      const { method, url, id: requestId } = request;
      board.onChange({ requestId, tenantId, schoolId, userId, method, path: url, status: reply.statusCode });
    });
    await pages.register(board.plugin, { prefix: QUEUE_BOARD });
  });
}
