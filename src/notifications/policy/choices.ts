import type { School } from '../../people/school.ts';
import { CHANNELS, CHOOSABLE, type Channel, ruleOf, TRIGGERS, type Trigger } from './trigger.ts';

/** Why a person has no choice, with the words they read. */
export const NO_CHOICE = {
  mandatory: 'whoever is registered has to know this',
  not_sent: 'the school does not send this here',
  channel_off: 'the school has not set this up',
} as const;
export type NoChoice = keyof typeof NO_CHOICE;

export type Choice = { channel: Channel; choice: 'free' | 'always' | 'never'; reason: NoChoice | null };

/** What one person may choose: for every trigger each channel, and where there is nothing to choose, why. */
export function choicesOf(
  open: ReadonlySet<Channel>,
  chosen: School['channels'] = {},
): { trigger: Trigger; channels: Choice[] }[] {
  return (Object.keys(TRIGGERS) as Trigger[]).map((trigger) => ({
    trigger,
    channels: CHANNELS.map((channel) => choiceOf(trigger, channel, open, chosen)),
  }));
}

function choiceOf(
  trigger: Trigger,
  channel: Channel,
  open: ReadonlySet<Channel>,
  chosen: NonNullable<School['channels']>,
): Choice {
  const { mandatory, channels } = ruleOf(trigger);
  if (!open.has(channel)) return { channel, choice: 'never', reason: 'channel_off' };
  if (mandatory.includes(channel)) return { channel, choice: 'always', reason: 'mandatory' };
  // A reminder and a message of staff go out where each of them says.
  const used = CHOOSABLE.includes(trigger) ? (chosen[trigger] ?? channels) : CHANNELS;
  if (!used.includes(channel)) return { channel, choice: 'never', reason: 'not_sent' };
  return { channel, choice: 'free', reason: null };
}
