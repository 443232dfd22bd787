import { CHANNELS, type Channel } from '../notifications/policy/trigger.ts';
import type { ChannelSection, Config } from './config/config.ts';
import type { ProcessContext } from './process.ts';

type ChannelConfig = Pick<Config<ChannelSection>, ChannelSection>;

/** Channels that have settings; the inbox needs none. Logs once which channels are off. */
export function openChannels(
  context: Pick<ProcessContext<ChannelSection>, 'log'> & { config: ChannelConfig },
): ReadonlySet<Channel> {
  const sections: Partial<Record<Channel, unknown>> = context.config;
  const off = CHANNELS.filter((channel) => sections[channel] === null);
  for (const channel of off) context.log.warn({ channel }, 'channel.off');
  return new Set(CHANNELS.filter((channel) => !off.includes(channel)));
}
