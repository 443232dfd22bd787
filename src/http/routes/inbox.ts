import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { notFound } from '../../kernel/errors.ts';
import { pageOf } from '../../kernel/paging.ts';
import { scopeOf } from '../../people/caller.ts';
import type { RouteDeps } from '../deps.ts';
import { limitOf, PAGING, positionOf } from '../paging-query.ts';
import { ME } from '../paths.ts';
import { addRoute } from '../route.ts';
import { nothing, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { INBOX_ENTRY } from '../schemas/people.ts';

const access = { anyToken: 'one’s own messages' };

/** In-app messages to the caller. */
export function inboxRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${ME}/inbox`,
    access,
    name: 'getInbox',
    tag: 'me',
    summary: 'My messages, newest first',
    query: strict({ ...PAGING, unread: optional(Type.Boolean({ description: 'true: only what is not read yet' })) }),
    answers: { 200: pageOfSchema(refTo(INBOX_ENTRY), { unread_count: Type.Integer() }) },
    handle: async ({ inbox }, caller, { query }) => {
      const unread = query.unread ?? false;
      const filters = ['inbox', caller.user_id, unread];
      const limit = limitOf(query);
      const last = positionOf(query, filters);
      const before = last ? { before: { at: new Date(last.at), id: last.id } } : {};
      const scope = scopeOf(caller);
      const [rows, unread_count] = await Promise.all([
        inbox.page(scope, caller.user_id, { unread, limit: limit + 1, ...before }),
        inbox.unreadCount(scope, caller.user_id),
      ]);
      const page = pageOf(rows, limit, (row) => ({ at: row.created_at.toISOString(), id: row.id }), filters);
      return { status: 200, body: { ...page, unread_count } };
    },
  });

  addRoute(app, deps, {
    method: 'POST',
    url: `${ME}/inbox/:id/read`,
    access,
    name: 'readMessage',
    tag: 'me',
    summary: 'Mark a message as read; again is fine',
    params: Type.Object({ id: Type.String() }),
    answers: { 204: nothing('Done') },
    refusals: ['not_found'],
    handle: async ({ inbox }, caller, { params }) => {
      if (!(await inbox.markRead(scopeOf(caller), caller.user_id, params.id))) throw notFound();
      return { status: 204 };
    },
  });

  addRoute(app, deps, {
    method: 'POST',
    url: `${ME}/inbox/read_all`,
    access,
    name: 'readAllMessages',
    tag: 'me',
    summary: 'Mark all my messages as read',
    answers: { 200: Type.Object({ read: Type.Integer({ description: 'how many were unread' }) }) },
    handle: async ({ inbox }, caller) => ({
      status: 200,
      body: { read: await inbox.markAllRead(scopeOf(caller), caller.user_id) },
    }),
  });
}
