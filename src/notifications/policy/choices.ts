import type { School } from '../../people/school.ts';
import { ALL_TRIGGERS, CHANNELS, CHOOSABLE, type Channel, chosenChannels, ruleOf, type Trigger } from './trigger.ts';

/** Why a person has no choice, with the text they read. */
export const NO_CHOICE = {
  mandatory: 'too important to turn off',
  not_sent: 'the school does not use this channel for these messages',
  channel_off: 'the school has not set up this channel',
} as const;
export type NoChoice = keyof typeof NO_CHOICE;

export type Choice = { channel: Channel; choice: 'free' | 'always' | 'never'; reason: NoChoice | null };

/** What a person may choose for every trigger and channel, and why not if there is no choice. */
export function choicesOf(
  open: ReadonlySet<Channel>,
  chosen: School['channels'] = {},
): { trigger: Trigger; channels: Choice[] }[] {
  return ALL_TRIGGERS.map((trigger) => ({
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
  if (!open.has(channel)) return { channel, choice: 'never', reason: 'channel_off' };
  // Each reminder and each message of staff names its own channels.
  const used = CHOOSABLE.includes(trigger) ? chosenChannels(trigger, chosen) : CHANNELS;
  if (!used.includes(channel)) return { channel, choice: 'never', reason: 'not_sent' };
  if (ruleOf(trigger).mandatory.includes(channel)) return { channel, choice: 'always', reason: 'mandatory' };
  return { channel, choice: 'free', reason: null };
}
