import { Type } from 'typebox';
import { notFound } from '../../core/errors.ts';
import { countInbox, INBOX_ENTRY, listInbox } from '../../notifications/inbox/read-inbox.ts';
import { mustBeAllowed, scopeOf } from '../../people/caller.ts';
import { createdAt, momentOf, PAGING, readPage } from '../paging-query.ts';
import { ME } from '../paths.ts';
import type { Routes } from '../route.ts';
import { flag, named, nothing, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';

const access = { anyToken: 'everyone may read their own messages' };
const SHOWN_ENTRY = named('InboxEntry', INBOX_ENTRY);

/** Routes for the inbox of the caller. */
export function inboxRoutes(routes: Routes): void {
  routes.get(`${ME}/inbox`, {
    access: { ...access, viewAs: true },
    name: 'listInboxMessages',
    summary: 'List your messages, newest first',
    description:
      'Messages about events that you may no longer see are left out. A message that no longer holds is `superseded`. ' +
      '`unread_count` and `unseen_count` count all unread messages outside of the archive, whatever the filters.',
    query: strict({
      ...PAGING,
      unread: flag('True: only unread messages.'),
      archived: flag('True: only archived messages.'),
    }),
    responses: {
      200: pageOfSchema(refTo(SHOWN_ENTRY), { unread_count: Type.Integer(), unseen_count: Type.Integer() }),
    },
    result: async (deps, caller, { query }) => {
      const { unread = false, archived = false } = query;
      const [page, counts] = await Promise.all([
        readPage(
          query,
          ['inbox', caller.user_id, unread, archived],
          (limit, last) => listInbox(deps, caller, { unread, archived, limit, before: momentOf(last) }),
          createdAt,
        ),
        countInbox(deps, caller),
      ]);
      return { ...page, ...counts };
    },
  });

  const marks = [
    ['read', 'read', 'markMessageAsRead', 'Mark a message as read'],
    ['archive', 'archived', 'archiveMessage', 'Archive a message'],
    ['unarchive', 'unarchived', 'unarchiveMessage', 'Move a message back from the archive'],
  ] as const;
  for (const [word, mark, name, summary] of marks) {
    routes.post(`${ME}/inbox/:id/${word}`, {
      access,
      name,
      summary,
      responses: { 204: nothing('Done') },
      result: async ({ inbox }, caller, { params }) => {
        if (!(await inbox.mark(scopeOf(caller), caller.user_id, mark, params.id))) throw notFound();
      },
    });
  }

  routes.post(`${ME}/inbox/read_all`, {
    access,
    name: 'markAllMessagesAsRead',
    summary: 'Mark all messages as read',
    responses: { 200: Type.Object({ read: Type.Integer({ description: 'How many messages were unread.' }) }) },
    result: async ({ inbox }, caller) => ({ read: await inbox.markAll(scopeOf(caller), caller.user_id, 'read') }),
  });

  routes.post(`${ME}/inbox/seen`, {
    access,
    name: 'markInboxAsSeen',
    summary: 'Mark all messages as seen, which clears the badge',
    responses: { 200: Type.Object({ seen: Type.Integer({ description: 'How many messages were new.' }) }) },
    result: async ({ inbox }, caller) => ({ seen: await inbox.markAll(scopeOf(caller), caller.user_id, 'seen') }),
  });

  routes.get(`${ME}/inbox/stream`, {
    access,
    name: 'streamInbox',
    summary: 'Stream your messages and unread count',
    description: DESCRIPTION.trim(),
    query: strict({
      events: flag('True: also send the ids of changed events. Needs the permission events.view.'),
    }),
    headers: {
      'last-event-id': optional(Type.String({ maxLength: 100, description: 'The last `id` that you received.' })),
    },
    responses: {
      200: Type.Unsafe<string>({ type: 'string', description: 'A stream', contentMediaType: 'text/event-stream' }),
    },
    produces: 'text/event-stream',
    endless: true,
    refusals: ['forbidden'],
    handle: async ({ live }, caller, { query, headers }) => {
      const events = query.events ?? false;
      if (events) mustBeAllowed(caller, 'view_events');
      const body = await live.open(caller, { events, lastEventId: headers['last-event-id'] });
      return {
        status: 200,
        body,
        // Proxies must neither buffer nor compress the stream.
        headers: {
          'content-type': 'text/event-stream',
          'cache-control': 'no-store, no-transform',
          'x-accel-buffering': 'no',
        },
      };
    },
  });
}

const DESCRIPTION = `
Server-sent events. Read them with \`fetch\` and send the token in \`Authorization\`: it is accepted nowhere else.
Open the stream first and load the list after \`ready\`, so that you miss nothing in between.

| event | data | when |
|---|---|---|
| \`ready\` | \`unread_count\`, \`unseen_count\` | the first event |
| \`message\` | an entry as in \`GET /me/inbox\` | a message arrived about an event that you may see; it may repeat with the same \`id\` in its data |
| \`unread\` | \`unread_count\`, \`unseen_count\` | after every change, also in another tab |
| \`marked\` | \`mark\` (seen, read, archived, unarchived), \`id\` or null for all | a message was marked, also in another tab |
| \`event.changed\` | \`ids\`, \`some_gone\` | with \`events=true\`: these events changed, at first those of the two seconds before the stream opened; \`some_gone\`: you may no longer see some events, so load the list again |
| \`reset\` | | you missed too many messages: load the list again |
| \`end\` | \`why\`: token, shutdown, lost | the stream ends: reconnect, after \`token\` with a new token |

Reconnect with \`Last-Event-ID\` after the time in \`retry\`: you first get the messages that you missed. A comment every
20 seconds keeps the connection open. The server disconnects clients that fall far behind.`;
