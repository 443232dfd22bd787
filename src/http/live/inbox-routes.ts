import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { notFound } from '../../core/errors.ts';
import { pageOf } from '../../core/paging.ts';
import { countInbox, listInbox } from '../../notifications/inbox/read-inbox.ts';
import { scopeOf } from '../../people/caller.ts';
import type { RouteDeps } from '../deps.ts';
import { limitOf, PAGING, positionOf } from '../paging-query.ts';
import { ME } from '../paths.ts';
import { INBOX_ENTRY } from '../people/people-schema.ts';
import { addRoute } from '../route.ts';
import { nothing, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';

const access = { anyToken: 'everyone may read their own messages' };

/** Routes for the inbox of the caller. */
export function inboxRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${ME}/inbox`,
    access,
    name: 'getInbox',
    tag: 'me',
    summary: 'List your messages, newest first',
    description:
      'Messages about events that you may no longer see are left out. A message that no longer holds is `superseded`. ' +
      '`unread_count` and `unseen_count` count all unread messages outside of the archive, whatever the filters.',
    query: strict({
      ...PAGING,
      unread: optional(Type.Boolean({ description: 'True: only unread messages.' })),
      archived: optional(Type.Boolean({ description: 'True: only archived messages.' })),
    }),
    answers: {
      200: pageOfSchema(refTo(INBOX_ENTRY), { unread_count: Type.Integer(), unseen_count: Type.Integer() }),
    },
    handle: async (joined, caller, { query }) => {
      const { unread = false, archived = false } = query;
      const filters = ['inbox', caller.user_id, unread, archived];
      const limit = limitOf(query);
      const last = positionOf(query, filters);
      const before = last ? { before: { at: new Date(last.at), id: last.id } } : {};
      const [rows, counts] = await Promise.all([
        listInbox(joined, caller, { unread, archived, limit: limit + 1, ...before }),
        countInbox(joined, caller),
      ]);
      const page = pageOf(rows, limit, (row) => ({ at: row.created_at.toISOString(), id: row.id }), filters);
      return { status: 200, body: { ...page, ...counts } };
    },
  });

  const marks = [
    ['read', 'read', 'Mark a message as read'],
    ['archive', 'archived', 'Archive a message'],
    ['unarchive', 'unarchived', 'Move a message back from the archive'],
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
    summary: 'Mark all messages as read',
    answers: { 200: Type.Object({ read: Type.Integer({ description: 'How many messages were unread.' }) }) },
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
    summary: 'Mark all messages as seen, which clears the badge',
    answers: { 200: Type.Object({ seen: Type.Integer({ description: 'How many messages were new.' }) }) },
    handle: async ({ inbox }, caller) => ({
      status: 200,
      body: { seen: await inbox.markAll(scopeOf(caller), caller.user_id, 'seen') },
    }),
  });
}
