import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { mustBeAllowed } from '../../people/permissions.ts';
import type { RouteDeps } from '../deps.ts';
import { ME } from '../paths.ts';
import { addRoute } from '../route.ts';
import { optional, strict } from '../schemas/fields.ts';

const DESCRIPTION = `
Server-sent events, read with \`fetch\` so that the token travels in \`Authorization\`; it is taken from nowhere else.
Open the stream first and load the list when \`ready\` has come: nothing falls between the two.

| event | data | when |
|---|---|---|
| \`ready\` | \`unread_count\`, \`unseen_count\` | first; its \`id\` counts as seen |
| \`message\` | an entry as in \`GET /me/inbox\` | a message came; one that was sent before may come again with the same \`id\` in it |
| \`unread\` | \`unread_count\`, \`unseen_count\` | after every change, also by another tab |
| \`marked\` | \`mark\` (seen, read, archived, unarchived), \`id\` or null for all | one of them was marked, also by another tab |
| \`event.changed\` | \`ids\`, \`some_gone\` | with \`events=true\`: these events changed; \`some_gone\`: something may have gone out of sight, load again |
| \`reset\` | | too much was missed: load the list again |
| \`end\` | \`why\`: token, shutdown, lost | the last one; come back, after \`token\` with a new one |

Come back with \`Last-Event-ID\`: messages that came meanwhile are sent first. \`retry\` says when. A comment every 20
seconds keeps the connection open; a reader that falls far behind is cut off.`;

/** What comes to the caller's inbox, as it comes. */
export function inboxStreamRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${ME}/inbox/stream`,
    access: { anyToken: 'one’s own messages' },
    name: 'streamInbox',
    tag: 'me',
    summary: 'My messages and their unread count, live',
    description: DESCRIPTION.trim(),
    query: strict({
      events: optional(Type.Boolean({ description: 'true: hints on changed events too; needs events.view' })),
    }),
    headers: { 'last-event-id': optional(Type.String({ maxLength: 100, description: 'The last `id` seen.' })) },
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
        // What lies between must neither gather nor compress it.
        headers: {
          'content-type': 'text/event-stream',
          'cache-control': 'no-store, no-transform',
          'x-accel-buffering': 'no',
        },
      };
    },
  });
}
