import type { FastifyInstance } from 'fastify';
import { dayOf } from '../../core/days.ts';
import { LIMITS } from '../../events/limits.ts';
import { eventOptions } from '../../events/rules/options.ts';
import { SCOPES } from '../../events/rules/recurrence.ts';
import { CHANNELS } from '../../notifications/policy/trigger.ts';
import { LOCALES } from '../../people/contact.ts';
import { ADDRESSED } from '../../registrations/message.ts';
import { REGISTRATION_KINDS, REGISTRATION_STATUSES } from '../../registrations/registration.ts';
import type { RouteDeps } from '../deps.ts';
import { EVENTS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { oneOf, optional, refTo, strict } from '../schemas/fields.ts';
import { OPTIONS } from './options-schema.ts';

/** Options of the forms for registrations and messages, and limits of texts. */
const MORE_OPTIONS = {
  registration_kinds: REGISTRATION_KINDS,
  registration_statuses: REGISTRATION_STATUSES,
  message_statuses: ADDRESSED,
  message_channels: CHANNELS,
  edit_scopes: SCOPES,
  limits: LIMITS,
};

/** The options of the forms for events. */
export function optionRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/options`,
    access: { permission: 'view_events' },
    name: 'getEventOptions',
    tag: 'events',
    summary: 'Read the options and defaults of event forms',
    query: strict({
      locale: optional(oneOf(LOCALES, { description: 'The language of the suggested titles; `en` by default.' })),
    }),
    answers: { 200: refTo(OPTIONS, 'The options') },
    handle: async (joined, caller, { query }) => {
      const school = await joined.schools.find(caller);
      const options = eventOptions(school, caller, dayOf(joined.clock.now(), school.timezone), query.locale);
      return { status: 200, body: { ...options, ...MORE_OPTIONS } };
    },
  });
}
