import { Type } from 'typebox';
import { invalidField, notFound } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { choicesOf, NO_CHOICE, type NoChoice } from '../../notifications/policy/trigger.ts';
import { loadContacts } from '../../people/audience.ts';
import { may, PERMISSIONS, type Permission, ROLES, scopeOf } from '../../people/caller.ts';
import { LOCALES } from '../../people/contact.ts';
import { putPreferences, QUIET_HOURS } from '../../people/preferences.ts';
import { BROWSERS_PER_PERSON, endpointFault, normalizeEndpoint } from '../../people/push-endpoint.ts';
import { mayViewAs } from '../../people/view-as.ts';
import { CHANNEL, TRIGGER } from '../operations/records-schema.ts';
import { ME } from '../paths.ts';
import type { Routes } from '../route.ts';
import { described, listOf, nothing, nullable, oneOf, refTo, stampOrNull, stringOrNull } from '../schemas/fields.ts';
import { isWish, PREFERENCES, PREFERENCES_NOW, SUBSCRIBE, UNSUBSCRIBE } from './people-schema.ts';
import { SHOWN_SCHOOL, shownSchool } from './school-routes.ts';

const NAMES = Object.keys(PERMISSIONS) as Permission[];
const PERSON = { user_id: Type.String(), name: stringOrNull('The name in the directory.') };

/** The route that describes the caller. */
export function meRoutes(routes: Routes): void {
  routes.get(ME, {
    access: { anyToken: 'everyone may read their own data', viewAs: true },
    name: 'getMe',
    summary: 'Read your roles, permissions, children and school',
    responses: {
      200: described('The caller', {
        ...PERSON,
        roles: Type.Array(oneOf(ROLES)),
        may: Type.Array(oneOf(NAMES), { description: 'What your permissions allow.' }),
        children: listOf('The children of the caller.', PERSON),
        school: described('The school.', SHOWN_SCHOOL),
      }),
    },
    result: async (deps, caller) => {
      const scope = scopeOf(caller);
      const ids = [caller.user_id, ...caller.children];
      const [people, school] = await Promise.all([loadContacts(deps, scope, ids), deps.schools.find(scope)]);
      const named = (user_id: string) => ({ user_id, name: people.get(user_id)?.name ?? null });
      return {
        ...named(caller.user_id),
        roles: [...caller.roles],
        may: NAMES.filter(
          (permission) =>
            may(caller, permission) &&
            (permission !== 'manage_queues' || Boolean(deps.queueBoard)) &&
            (permission !== 'view_as' || mayViewAs(caller)),
        ),
        children: caller.children.map(named),
        school: shownSchool({ ...school, ...scope }),
      };
    },
  });

  routes.get(`${ME}/preferences`, {
    access: OWN_SETTINGS,
    name: 'getPreferences',
    summary: 'Read your notification settings',
    responses: { 200: refTo(PREFERENCES_NOW, 'Your notification settings') },
    result: async ({ preferences }, caller) => {
      const found = await preferences.find(scopeOf(caller), caller.user_id);
      const opted_out = found?.opted_out.filter(isWish) ?? [];
      return { locale: null, ...found, opted_out, quiet_hours: found?.quiet_hours ?? null };
    },
  });

  routes.put(`${ME}/preferences`, {
    access: OWN_SETTINGS,
    name: 'replacePreferences',
    summary: 'Replace your notification settings',
    body: PREFERENCES,
    responses: { 200: refTo(PREFERENCES_NOW, 'Your notification settings') },
    result: async (deps, caller, { body }) => {
      const { locale = null, opted_out = [], quiet_hours = null } = body;
      const saved = await putPreferences(deps, caller, { locale, opted_out, quiet_hours });
      return { ...saved, quiet_hours };
    },
  });

  routes.get(`${ME}/settings`, {
    access: { anyToken: 'everyone may read their own choices' },
    name: 'getSettings',
    summary: 'Read the choices of your notification settings',
    responses: {
      200: described('The choices', {
        messages: listOf('The kinds of messages.', { trigger: TRIGGER, channels: Type.Array(CHOICE) }),
        locales: Type.Array(oneOf(LOCALES), { description: 'The languages to choose from.' }),
        push: nullable(
          described('Settings of push notifications. Null if push is off.', {
            public_key: Type.String({ description: 'The applicationServerKey for a push subscription.' }),
          }),
        ),
        quiet_hours: { ...nullable(QUIET_HOURS), description: 'The quiet hours of the school.' },
        feed_created_at: { ...stampOrNull, description: 'When the calendar address was created. Null: none.' },
      }),
    },
    result: async ({ schools, feeds, openChannels, pushPublicKey }, caller) => {
      const scope = scopeOf(caller);
      const [school, feed] = await Promise.all([schools.find(scope), feeds.findOfPerson(scope, caller.user_id)]);
      const messages = choicesOf(openChannels, school.channels).map(({ trigger, channels }) => ({
        trigger,
        channels: channels.map((one) => ({ ...one, reason_text: one.reason && NO_CHOICE[one.reason] })),
      }));
      return {
        messages,
        locales: [...LOCALES],
        push: pushPublicKey === null ? null : { public_key: pushPublicKey },
        quiet_hours: school.quiet_hours,
        feed_created_at: feed?.created_at ?? null,
      };
    },
  });

  routes.post(`${ME}/push_subscriptions`, {
    access: OWN_BROWSERS,
    name: 'subscribeToPush',
    summary: 'Turn on push notifications in this browser',
    description:
      'The endpoint must be an https address of a known push service. ' +
      `A person can have ${BROWSERS_PER_PERSON} browsers. One more replaces the oldest.`,
    body: SUBSCRIBE,
    responses: { 201: Type.Object({ endpoint: Type.String() }) },
    result: async ({ pushSubscriptions, pushAllowedHosts, clock }, caller, { body }) => {
      const refused = endpointFault(body.endpoint, pushAllowedHosts);
      if (refused) throw invalidField('/endpoint', refused, 'push_service');
      const endpoint = normalizeEndpoint(body.endpoint);
      const { user_id } = caller;
      await pushSubscriptions.put({
        ...scopeOf(caller),
        id: newId(),
        user_id,
        endpoint,
        keys: body.keys,
        created_at: clock.now(),
      });
      return { endpoint };
    },
  });

  routes.delete(`${ME}/push_subscriptions`, {
    access: OWN_BROWSERS,
    name: 'unsubscribeFromPush',
    summary: 'Turn off push notifications in this browser',
    body: UNSUBSCRIBE,
    responses: { 204: nothing('Done') },
    refusals: ['not_found'],
    result: async ({ pushSubscriptions }, caller, { body }) => {
      const endpoint = normalizeEndpoint(body.endpoint);
      if (!(await pushSubscriptions.remove(scopeOf(caller), caller.user_id, endpoint))) throw notFound();
    },
  });
}

const OWN_SETTINGS = { anyToken: 'everyone may change their own settings' };

const CHOICE = Type.Object({
  channel: CHANNEL,
  choice: oneOf(['free', 'always', 'never'], { description: '`free`: you can opt out. `always` and `never`: fixed.' }),
  reason: nullable(oneOf(Object.keys(NO_CHOICE) as NoChoice[], { description: 'Why you can’t choose, as a code.' })),
  reason_text: stringOrNull('Why you can’t choose, in words.'),
});

const OWN_BROWSERS = { anyToken: 'everyone may manage their own browsers' };
