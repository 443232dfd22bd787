import { fault, invalid } from '../../core/errors.ts';
import {
  ALL_TRIGGERS,
  CHANNELS,
  CHOOSABLE,
  type Channel,
  chosenChannels,
  ruleOf,
} from '../../notifications/policy/trigger.ts';
import { scopeOf } from '../../people/caller.ts';
import { putSchool, type School } from '../../people/school.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { refTo } from '../schemas/fields.ts';
import { PUT_SCHOOL, SCHOOL } from './school-schema.ts';

const URL = `${OPERATIONS}/school`;

/** Routes for the settings of a school. */
export function schoolRoutes(routes: Routes): void {
  const access = { permission: 'manage_settings' } as const;

  routes.get(URL, {
    access,
    name: 'getSchool',
    summary: 'Read the settings of the school',
    answers: { 200: refTo(SCHOOL, 'The settings') },
    result: async ({ schools, openChannels }, caller) => schoolView(await schools.find(scopeOf(caller)), openChannels),
  });

  routes.put(URL, {
    access,
    name: 'replaceSchool',
    summary: 'Replace the settings of the school',
    body: PUT_SCHOOL,
    answers: { 200: refTo(SCHOOL, 'The settings') },
    result: async (joined, caller, { body }) => {
      const empty = {
        sender_name: null,
        color: null,
        logo_url: null,
        quiet_hours: null,
        channels: {},
        term_calendar: [],
      };
      const described = { ...empty, ...body };
      const { logo_url } = described;
      // Mail programs show no picture without https.
      if (logo_url && !logo_url.startsWith('https://') && !logo_url.startsWith(`${routes.deps.publicUrl}/files/`))
        throw invalid([fault('/logo_url', 'must begin with https://, or be an uploaded file', 'uri')]);
      return schoolView(await putSchool(joined, caller, described), joined.openChannels);
    },
  });
}

/** The settings, with what the school may choose. */
const schoolView = (school: School, open: ReadonlySet<Channel>) => ({
  ...school,
  messages: CHOOSABLE.map((trigger) => {
    const { mandatory, maySwitchOff } = ruleOf(trigger);
    const channels = [...chosenChannels(trigger, school.channels)];
    return { trigger, channels, mandatory: [...mandatory], may_switch_off: maySwitchOff };
  }),
  texts: ALL_TRIGGERS,
  available_channels: CHANNELS.filter((channel) => open.has(channel)),
});
