import type { FastifyInstance } from 'fastify';
import type { Fact } from '../../facts/fact.ts';
import { FACT_VERSION } from '../../facts/fact.ts';
import { contentOf } from '../../notifications/content.ts';
import { foreseeAudience } from '../../notifications/foresee.ts';
import type { Caller } from '../../people/caller.ts';
import { LOCALES } from '../../people/contact.ts';
import { countAddressed, type MessageInput, planMessage, sendMessage } from '../../registrations/message.ts';
import type { RouteDeps } from '../deps.ts';
import { type Answer, addRoute } from '../route.ts';
import { strict } from '../schemas/fields.ts';
import { MESSAGE, MESSAGE_ACCEPTED, MESSAGE_FORESEEN } from '../schemas/message.ts';
import { DRY_RUN } from '../schemas/moves.ts';
import { EVENT_ID } from './events.ts';
import { REGISTRATIONS } from './registrations.ts';

/** Writing to those registered (§2.8 r.6). */
export function messageRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'POST',
    url: `${REGISTRATIONS}/messages`,
    access: { permission: 'manage_registrations' },
    name: 'sendMessage',
    tag: 'registrations',
    summary: 'Write to those registered, over the chosen channels; dry_run tells whom it would reach',
    params: EVENT_ID,
    query: strict(DRY_RUN),
    body: MESSAGE,
    answers: { 200: MESSAGE_FORESEEN, 202: MESSAGE_ACCEPTED },
    refusals: ['not_found'],
    handle: async (joined, caller, { params, query, body }) =>
      query.dry_run
        ? foreseen(joined, caller, params.id, body)
        : { status: 202, body: await sendMessage(joined, caller, params.id, body) },
  });
}

async function foreseen(deps: RouteDeps, caller: Caller, event_id: string, input: MessageInput): Promise<Answer> {
  const { event, fact } = await planMessage(deps, caller, event_id, input);
  const { audience } = await foreseeAudience(deps, [{ event, facts: [fact] }], deps.clock.now());
  const texts = audience.sms?.told ?? 0;
  const school = await deps.schools.find(event);
  const segments: number[] = [];
  // The longer of the languages: whose text is in which is known only when it is sent.
  for (const locale of texts > 0 ? LOCALES : []) {
    const content = contentOf({
      event,
      fact: { ...fact, id: 'dry-run', v: FACT_VERSION } as Fact,
      trigger: 'message',
      channel: 'sms',
      school,
      locale,
      timezone: school.timezone,
      publicUrl: deps.publicUrl,
      organizerAddress: '',
    });
    segments.push(await deps.smsSegments(content));
  }
  const people = await countAddressed(deps, caller, event_id, input);
  return { status: 200, body: { dry_run: true, people, audience, sms_segments: texts * Math.max(0, ...segments) } };
}
