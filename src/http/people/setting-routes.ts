import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type Choice, choicesOf, NO_CHOICE, type NoChoice } from '../../notifications/policy/choices.ts';
import { scopeOf } from '../../people/caller.ts';
import { LOCALES } from '../../people/contact.ts';
import type { RouteDeps } from '../deps.ts';
import { CHANNEL, TRIGGER } from '../operations/records-schema.ts';
import { ME } from '../paths.ts';
import { addRoute } from '../route.ts';
import { nullable, oneOf, stampOrNull } from '../schemas/fields.ts';
import { QUIET_NOW } from './people-schema.ts';

const CHOICE = Type.Object({
  channel: CHANNEL,
  choice: oneOf(['free', 'always', 'never'], { description: 'free: may be opted out of' }),
  reason: nullable(oneOf(Object.keys(NO_CHOICE) as NoChoice[], { description: 'why there is nothing to choose' })),
  reason_text: nullable(Type.String({ description: 'the same in words' })),
});

/** What a page of settings offers: everything else is in the caller's preferences. */
export function settingsRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${ME}/settings`,
    access: { anyToken: 'one’s own choices' },
    name: 'getSettings',
    tag: 'me',
    summary: 'What I may choose: channels per kind of message, languages, push in a browser, my calendar address',
    answers: {
      200: Type.Object(
        {
          messages: Type.Array(Type.Object({ trigger: TRIGGER, channels: Type.Array(CHOICE) })),
          locales: Type.Array(oneOf(LOCALES)),
          push: nullable(
            Type.Object(
              { public_key: Type.String({ description: 'applicationServerKey of a subscription' }) },
              { description: 'null where push is not set up' },
            ),
          ),
          quiet_hours: Type.Union([QUIET_NOW, Type.Null()], { description: 'those of the school' }),
          feed_created_at: stampOrNull,
        },
        { description: 'The choices' },
      ),
    },
    handle: async ({ schools, feeds, openChannels, pushPublicKey }, caller) => {
      const scope = scopeOf(caller);
      const [school, feed] = await Promise.all([schools.find(scope), feeds.ofPerson(scope, caller.user_id)]);
      const messages = choicesOf(openChannels, school.channels).map(({ trigger, channels }) => ({
        trigger,
        channels: channels.map(choiceView),
      }));
      return {
        status: 200,
        body: {
          messages,
          locales: [...LOCALES],
          push: pushPublicKey === null ? null : { public_key: pushPublicKey },
          quiet_hours: school.quiet_hours ?? null,
          feed_created_at: feed?.created_at ?? null,
        },
      };
    },
  });
}

const choiceView = (one: Choice) => ({ ...one, reason_text: one.reason && NO_CHOICE[one.reason] });
