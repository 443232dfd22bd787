import { Type } from 'typebox';
import { invalidField } from '../../core/errors.ts';
import { fromKeys, pick } from '../../core/objects.ts';
import { ALL_TRIGGERS, CHOOSABLE, chosenChannels } from '../../notifications/policy/trigger.ts';
import { ruleOf, type Trigger } from '../../notifications/policy/trigger-table.ts';
import { scopeOf } from '../../people/caller.ts';
import { CHANNELS, type Channel } from '../../people/channels.ts';
import { putSchool, SCHOOL_SETTINGS, type School, unnamedSchool } from '../../people/school.ts';
import { ifMatchOf } from '../entity-tag.ts';
import { CHANNEL, TRIGGER } from '../operations/records-schema.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { listOf, named, oneOf, optional, refTo, stamp, strict, stringOrNull } from '../schemas/fields.ts';

/** A school as everyone sees it. */
export const SHOWN_SCHOOL = {
  id: Type.String(),
  name: Type.String(),
  timezone: Type.String(),
  locale: SCHOOL_SETTINGS.locale,
  color: stringOrNull('The color of buttons and links, `#rrggbb`. Null: the default.'),
  logo_url: stringOrNull('The address of the logo. Null: none.'),
};

/** A school in the shape of `SHOWN_SCHOOL`. */
export const shownSchool = (school: School) => ({
  id: school.school_id,
  ...pick(school, ['name', 'timezone', 'locale', 'color', 'logo_url']),
});

/** The channels that a school can choose for one trigger. */
const channelsFor = (trigger: Trigger) => {
  const { mandatory, maySwitchOff } = ruleOf(trigger);
  const always = mandatory.length > 0 ? ` Always includes ${mandatory.join(' and ')}.` : '';
  const off = maySwitchOff ? ' An empty list turns it off.' : '';
  return Type.Array(oneOf(CHANNELS), {
    maxItems: CHANNELS.length,
    uniqueItems: true,
    description: `The channels of this message.${always}${off}`,
  });
};

const CHOSEN = strict(
  fromKeys(CHOOSABLE, (trigger) => optional(channelsFor(trigger))),
  { description: 'The channels of each kind of message. Missing kinds use the defaults.' },
);

const PUT_SCHOOL = strict(
  {
    ...Type.Partial(Type.Object(SCHOOL_SETTINGS)).properties,
    ...pick(SCHOOL_SETTINGS, ['name', 'timezone', 'locale']),
    channels: optional(CHOSEN),
  },
  {
    'x-read-only': ['school_id', 'messages', 'texts', 'available_channels', 'updated_at'],
    examples: [
      {
        name: 'Lipová School',
        timezone: 'Europe/Prague',
        locale: 'cs',
        sender_name: 'Lipová School',
        color: '#17594f',
        logo_url: 'https://lipova.example/logo.png',
        quiet_hours: { from: '21:00', to: '07:00' },
        term_calendar: [{ name: 'Christmas', start_date: '2026-12-23', end_date: '2027-01-03' }],
      },
    ],
  },
);

const SCHOOL = named('School', {
  school_id: Type.String(),
  ...Type.Required(PUT_SCHOOL).properties,
  channels: optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  messages: listOf('The messages whose channels the school may choose.', {
    trigger: oneOf(CHOOSABLE),
    channels: Type.Array(CHANNEL, { description: 'The channels in use, chosen or by default.' }),
    mandatory: Type.Array(CHANNEL, { description: 'Channels that are always among them.' }),
    may_switch_off: Type.Boolean({ description: 'Whether the school may choose no channel at all.' }),
  }),
  texts: Type.Array(TRIGGER, { description: 'The kinds of messages; each has a text.' }),
  available_channels: Type.Array(CHANNEL, { description: 'The channels that are set up.' }),
  updated_at: stamp,
});

const URL = `${OPERATIONS}/school`;

/** Routes for the settings of a school. */
export function schoolRoutes(routes: Routes): void {
  const access = { permission: 'manage_settings' } as const;

  routes.get(URL, {
    access,
    name: 'getSchool',
    summary: 'Read the settings of the school',
    responses: { 200: refTo(SCHOOL, 'The settings', ['ETag']) },
    handle: async ({ schools, openChannels }, caller) =>
      schoolResponse(await schools.find(scopeOf(caller)), openChannels),
  });

  routes.put(URL, {
    access,
    name: 'replaceSchool',
    summary: 'Replace the settings of the school',
    body: PUT_SCHOOL,
    ifMatch: true,
    responses: { 200: refTo(SCHOOL, 'The settings', ['ETag']) },
    refusals: ['stale'],
    handle: async (deps, caller, { body, headers }) => {
      const described = { ...unnamedSchool(scopeOf(caller)), channels: {}, ...body };
      const { logo_url } = described;
      // Mail programs show no picture without https.
      if (logo_url && !logo_url.startsWith('https://') && !logo_url.startsWith(`${deps.publicUrl}/files/`))
        throw invalidField('/logo_url', 'must begin with https://, or be an uploaded file', 'uri');
      return schoolResponse(await putSchool(deps, caller, described, ifMatchOf(headers)), deps.openChannels);
    },
  });
}

/** The settings, with what the school may choose; their ETag is the time of their last change. */
const schoolResponse = (school: School, open: ReadonlySet<Channel>) => ({
  status: 200,
  headers: { etag: `"v${school.updated_at.getTime()}"` },
  body: {
    ...school,
    messages: CHOOSABLE.map((trigger) => {
      const { mandatory, maySwitchOff } = ruleOf(trigger);
      const channels = [...chosenChannels(trigger, school.channels)];
      return { trigger, channels, mandatory: [...mandatory], may_switch_off: maySwitchOff };
    }),
    texts: ALL_TRIGGERS,
    available_channels: CHANNELS.filter((channel) => open.has(channel)),
  },
});
