import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { mustBeAllowed } from '../../people/permissions.ts';
import type { RouteDeps } from '../deps.ts';
import { ME } from '../paths.ts';
import { addRoute } from '../route.ts';
import { optional, strict } from '../schemas/fields.ts';

const DESCRIPTION = `
Server-sent events. Read them with \`fetch\` and send the token in \`Authorization\`: it is accepted nowhere else.
Open the stream first and load the list after \`ready\`, so that you miss nothing in between.

| event | data | when |
|---|---|---|
| \`ready\` | \`unread_count\`, \`unseen_count\` | the first event |
| \`message\` | an entry as in \`GET /me/inbox\` | a message arrived about an event that you may see; it may repeat with the same \`id\` |
| \`unread\` | \`unread_count\`, \`unseen_count\` | after every change, also in another tab |
| \`marked\` | \`mark\` (seen, read, archived, unarchived), \`id\` or null for all | a message was marked, also in another tab |
| \`event.changed\` | \`ids\`, \`some_gone\` | with \`events=true\`: these events changed; \`some_gone\`: you may no longer see some events, so load the list again |
| \`reset\` | | you missed too many messages: load the list again |
| \`end\` | \`why\`: token, shutdown, lost | the stream ends: reconnect, after \`token\` with a new token |

Reconnect with \`Last-Event-ID\` after the time in \`retry\`: you first get the messages that you missed. A comment every
20 seconds keeps the connection open. The server disconnects readers that fall far behind.`;

/** The route that streams new messages to the caller. */
export function inboxStreamRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${ME}/inbox/stream`,
    access: { anyToken: 'everyone may read their own messages' },
    name: 'streamInbox',
    tag: 'me',
    summary: 'Stream your messages and unread count',
    description: DESCRIPTION.trim(),
    query: strict({
      events: optional(
        Type.Boolean({ description: 'True: also send the ids of changed events. Needs the permission events.view.' }),
      ),
    }),
    headers: {
      'last-event-id': optional(Type.String({ maxLength: 100, description: 'The last `id` that you received.' })),
    },
    answers: {
      200: Type.Unsafe<string>({ type: 'string', description: 'A stream', contentMediaType: 'text/event-stream' }),
    },
    produces: 'text/event-stream',
    endless: true,
    refusals: ['forbidden', 'rate_limited'],
    handle: async ({ live }, caller, { query, headers }) => {
      const events = query.events ?? false;
      if (events) mustBeAllowed(caller, 'view_events');
      const lastEventId = headers['last-event-id'];
      const body = await live.open(caller, {
        events,
        lastEventId: lastEventId === undefined ? undefined : String(lastEventId),
      });
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
