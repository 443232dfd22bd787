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
  choice: oneOf(['free', 'always', 'never'], { description: '`free`: you can opt out. `always` and `never`: fixed.' }),
  reason: nullable(oneOf(Object.keys(NO_CHOICE) as NoChoice[], { description: 'Why you can’t choose, as a code.' })),
  reason_text: nullable(Type.String({ description: 'Why you can’t choose, in words.' })),
});

/** The route of the choices on the settings page. The caller's preferences are separate. */
export function settingsRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${ME}/settings`,
    access: { anyToken: 'everyone may read their own choices' },
    name: 'getSettings',
    tag: 'me',
    summary: 'Read the choices of your notification settings',
    answers: {
      200: Type.Object(
        {
          messages: Type.Array(Type.Object({ trigger: TRIGGER, channels: Type.Array(CHOICE) })),
          locales: Type.Array(oneOf(LOCALES)),
          push: nullable(
            Type.Object(
              { public_key: Type.String({ description: 'The applicationServerKey for a push subscription.' }) },
              { description: 'Settings of push notifications. Null if push is off.' },
            ),
          ),
          quiet_hours: Type.Union([QUIET_NOW, Type.Null()], { description: 'The quiet hours of the school.' }),
          feed_created_at: stampOrNull,
        },
        { description: 'The choices' },
      ),
    },
    handle: async ({ schools, feeds, openChannels, pushPublicKey }, caller) => {
      const scope = scopeOf(caller);
      const [school, feed] = await Promise.all([schools.find(scope), feeds.findOfPerson(scope, caller.user_id)]);
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
