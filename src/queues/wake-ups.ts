import { localWakeUps, type WakeUps } from '../core/wake-ups.ts';
import { consumerConnection, type QueueSettings } from './connection.ts';

/** The channel on which a process tells all others that it has made work. */
export const wakeUpChannel = ({ prefix }: QueueSettings): string => `${prefix}:work`;

/**
 * Wake-ups of all processes, over Redis. One that is sent while Redis can't be reached is lost, so loops also look for work
 * every SWEEP_MS.
 */
export function remoteWakeUps(settings: QueueSettings): WakeUps & { close(): Promise<void> } {
  const connection = consumerConnection(settings);
  const { subscribe, notify } = localWakeUps();
  connection.on('message', notify);
  // Some may have been missed before.
  connection.on('ready', notify);
  // Fails only if the connection is closed first; the driver subscribes again after each reconnect.
  connection.subscribe(wakeUpChannel(settings)).catch(() => {});
  return { subscribe, close: async () => connection.disconnect() };
}
