import { CHANNELS, type Channel } from '../notifications/policy/trigger.ts';
import type { Config } from './config/config.ts';
import type { ProcessContext } from './process.ts';

type ChannelConfig = Pick<Config<'email' | 'sms' | 'push'>, 'email' | 'sms' | 'push'>;

/** Channels that have settings; the inbox needs none. Says once which are off. */
export function openChannels(
  context: Pick<ProcessContext<'email' | 'sms' | 'push'>, 'log'> & { config: ChannelConfig },
): ReadonlySet<Channel> {
  const { email, sms, push } = context.config;
  const off = CHANNELS.filter((channel) => ({ email, sms, push, in_app: true })[channel] === null);
  for (const channel of off) context.log.warn({ channel }, 'channel.off');
  return new Set(CHANNELS.filter((channel) => !off.includes(channel)));
}
