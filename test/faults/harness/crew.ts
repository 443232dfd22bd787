import { setTimeout as delay } from 'node:timers/promises';
import type { ProductProcess } from '../../../src/dev/product-process.ts';
import type { ProcessName } from '../../../src/dev/system.ts';
import { latch } from '../../support/latch.ts';
import type { World } from '../../support/world.ts';

/** The running process of this name that was started last. @throws when there is none */
export function latest({ processes }: World, name: ProcessName): ProductProcess {
  const found = processes.filter((process) => process.name === name && process.isRunning).at(-1);
  if (!found) throw new Error(`no ${name} is running`);
  return found;
}

/** Ends a process by kill -9 and starts another one in its place. */
export async function killAndReplace(world: World, name: ProcessName): Promise<void> {
  const process = latest(world, name);
  process.send('SIGKILL');
  await process.exited;
  await world.start(name);
}

/**
 * A counter that runs an action at the nth call. A stand-in calls it after accepting a message and before answering, which is
 * the worst moment for the worker to die.
 */
export function momentOf(nth: number, act: () => void): { call(): void; reached: Promise<void> } {
  let left = nth;
  const { open: resolve, opened: reached } = latch();
  return {
    reached,
    call() {
      left -= 1;
      if (left !== 0) return;
      act();
      resolve();
    },
  };
}

/** Calls `act` at each message of a channel from now on, which its provider has and does not answer before. */
export function atMessages(world: World, channel: 'email' | 'sms' | 'push', act: () => void): void {
  if (channel === 'email')
    world.smtp.misbehave((phase) => {
      if (phase === 'message') act();
      return undefined;
    });
  else world[channel === 'sms' ? 'twilio' : 'push'].misbehave(() => void act());
}

/** Calls `act` up to `times` times, with pauses, while `work` is in progress; then awaits `work`. */
export async function meanwhile(
  work: Promise<unknown>,
  times: number,
  act: (nth: number) => Promise<unknown>,
  pauseMs: () => number,
): Promise<void> {
  let failed: unknown = null;
  work.catch((error) => {
    failed = error;
  });
  for (let nth = 0; nth < times && failed === null; nth += 1) {
    await delay(pauseMs());
    await act(nth);
  }
  await work;
}
