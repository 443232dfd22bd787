import { Type } from 'typebox';
import type { SchoolEvent } from '../../events/event.ts';
import { previewAudience } from '../../notifications/explain/dry-run.ts';
import type { Caller } from '../../people/caller.ts';
import { countAddressed, MESSAGE, type MessageInput, planMessage, sendMessage } from '../../registrations/message.ts';
import type { RouteDeps } from '../deps.ts';
import { REGISTRATIONS } from '../registrations/routes.ts';
import type { Answer, Routes } from '../route.ts';
import { strict } from '../schemas/fields.ts';
import { AUDIENCE_PREVIEW } from './dry-run.ts';
import { DRY_RUN } from './transition-schema.ts';

/** The route that sends a message to registered people. */
export function messageRoutes(routes: Routes): void {
  routes.post(`${REGISTRATIONS}/messages`, {
    access: { permission: 'manage_registrations' },
    name: 'sendMessage',
    summary: 'Send a message to registered people',
    query: strict(DRY_RUN),
    body: MESSAGE,
    answers: { 200: MESSAGE_DRY_RUN, 202: MESSAGE_ACCEPTED },
    handle: async (deps, caller, { event, query, body }) =>
      query.dry_run
        ? previewMessage(deps, caller, event, body)
        : { status: 202, body: await sendMessage(deps, caller, event, body) },
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
  const people = await countAddressed(deps, caller, event, input);
  return { status: 200, body: { dry_run: true, ...audience, people } };
}

const MESSAGE_ACCEPTED = Type.Object({ message_id: Type.String({ description: 'The id of the message.' }) });

/** The answer with `dry_run`: who would get the message. */
const MESSAGE_DRY_RUN = Type.Object({
  dry_run: Type.Literal(true),
  ...AUDIENCE_PREVIEW,
  people: Type.Integer({ description: 'How many registrations the message is for.' }),
});
