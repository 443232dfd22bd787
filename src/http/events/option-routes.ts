import type { FastifyInstance } from 'fastify';
import { dayOf } from '../../core/days.ts';
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
import { LIMITS } from '../schemas/limits.ts';
import { OPTIONS } from './options-schema.ts';

/** What the forms offer that belong to registrations. */
const BESIDE = {
  registration_kinds: REGISTRATION_KINDS,
  registration_statuses: REGISTRATION_STATUSES,
  message_statuses: ADDRESSED,
  message_channels: CHANNELS,
  edit_scopes: SCOPES,
  limits: LIMITS,
};

/** What a form for events offers. */
export function optionRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: `${EVENTS}/options`,
    access: { permission: 'view_events' },
    name: 'getEventOptions',
    tag: 'events',
    summary: 'Types, levels, offsets, defaults and suggestions',
    query: strict({ locale: optional(oneOf(LOCALES, { description: 'of the suggested titles; en when not given' })) }),
    answers: { 200: refTo(OPTIONS, 'Everything a form offers') },
    handle: async (joined, caller, { query }) => {
      const school = await joined.schools.find(caller);
      const options = eventOptions(school, caller, dayOf(joined.clock.now(), school.timezone), query.locale);
      return { status: 200, body: { ...options, ...BESIDE } };
    },
  });
}
