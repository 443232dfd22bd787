import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { notFound } from '../../core/errors.ts';
import { pageOf } from '../../core/paging.ts';
import { scopeOf } from '../../people/caller.ts';
import type { RouteDeps } from '../deps.ts';
import { limitOf, PAGING, positionOf } from '../paging-query.ts';
import { ME } from '../paths.ts';
import { INBOX_ENTRY } from '../people/people-schema.ts';
import { addRoute } from '../route.ts';
import { nothing, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';

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
    description: '`unread_count` and `unseen_count` are of the whole inbox without its archive, whatever is asked for.',
    query: strict({
      ...PAGING,
      unread: optional(Type.Boolean({ description: 'true: only what is not read yet' })),
      archived: optional(Type.Boolean({ description: 'true: the archive instead' })),
    }),
    answers: {
      200: pageOfSchema(refTo(INBOX_ENTRY), { unread_count: Type.Integer(), unseen_count: Type.Integer() }),
    },
    handle: async ({ inbox }, caller, { query }) => {
      const { unread = false, archived = false } = query;
      const filters = ['inbox', caller.user_id, unread, archived];
      const limit = limitOf(query);
      const last = positionOf(query, filters);
      const before = last ? { before: { at: new Date(last.at), id: last.id } } : {};
      const scope = scopeOf(caller);
      const [rows, counts] = await Promise.all([
        inbox.page(scope, caller.user_id, { unread, archived, limit: limit + 1, ...before }),
        inbox.counts(scope, caller.user_id),
      ]);
      const page = pageOf(rows, limit, (row) => ({ at: row.created_at.toISOString(), id: row.id }), filters);
      return { status: 200, body: { ...page, ...counts } };
    },
  });

  const marks = [
    ['read', 'read', 'Mark a message as read; again is fine'],
    ['archive', 'archived', 'Put a message away: out of the list and the counts'],
    ['unarchive', 'unarchived', 'Take a message out of the archive'],
  ] as const;
  for (const [word, mark, summary] of marks) {
    addRoute(app, deps, {
      method: 'POST',
      url: `${ME}/inbox/:id/${word}`,
      access,
      name: `${word}Message`,
      tag: 'me',
      summary,
      params: Type.Object({ id: Type.String() }),
      answers: { 204: nothing('Done') },
      refusals: ['not_found'],
      handle: async ({ inbox }, caller, { params }) => {
        if (!(await inbox.mark(scopeOf(caller), caller.user_id, mark, params.id))) throw notFound();
        return { status: 204 };
      },
    });
  }

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
      body: { read: await inbox.markAll(scopeOf(caller), caller.user_id, 'read') },
    }),
  });

  addRoute(app, deps, {
    method: 'POST',
    url: `${ME}/inbox/seen`,
    access,
    name: 'seeInbox',
    tag: 'me',
    summary: 'I have looked into my inbox: clears the badge, reads nothing',
    answers: { 200: Type.Object({ seen: Type.Integer({ description: 'how many were new' }) }) },
    handle: async ({ inbox }, caller) => ({
      status: 200,
      body: { seen: await inbox.markAll(scopeOf(caller), caller.user_id, 'seen') },
    }),
  });
}
