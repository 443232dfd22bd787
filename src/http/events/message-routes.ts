import type { FastifyInstance } from 'fastify';
import type { SchoolEvent } from '../../events/event.ts';
import { previewAudience } from '../../notifications/explain/dry-run.ts';
import type { Caller } from '../../people/caller.ts';
import { countAddressed, type MessageInput, planMessage, sendMessage } from '../../registrations/message.ts';
import type { RouteDeps } from '../deps.ts';
import { REGISTRATIONS } from '../registrations/routes.ts';
import { type Answer, addRoute } from '../route.ts';
import { strict } from '../schemas/fields.ts';
import { MESSAGE, MESSAGE_ACCEPTED, MESSAGE_DRY_RUN } from './message-schema.ts';
import { EVENT_ID } from './routes.ts';
import { DRY_RUN } from './transition-schema.ts';

/** The route that sends a message to registered people (§2.8 r.6). */
export function messageRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'POST',
    url: `${REGISTRATIONS}/messages`,
    access: { permission: 'manage_registrations' },
    name: 'sendMessage',
    tag: 'registrations',
    summary: 'Send a message to registered people',
    params: EVENT_ID,
    query: strict(DRY_RUN),
    body: MESSAGE,
    answers: { 200: MESSAGE_DRY_RUN, 202: MESSAGE_ACCEPTED },
    refusals: ['not_found'],
    handle: async (joined, caller, { event, query, body }) =>
      query.dry_run
        ? previewMessage(joined, caller, event, body)
        : { status: 202, body: await sendMessage(joined, caller, event, body) },
  });
}

async function previewMessage(
  deps: RouteDeps,
  caller: Caller,
  event: SchoolEvent,
  input: MessageInput,
): Promise<Answer> {
  const fact = planMessage(deps, caller, event, input);
  const audience = await previewAudience(deps, [{ event, facts: [fact] }], deps.clock.now());
  const people = await countAddressed(deps, caller, event.id, input);
  return { status: 200, body: { dry_run: true, ...audience, people } };
}
