import { Worker } from 'node:worker_threads';
import { inBatches } from '../kernel/together.ts';
import type { PushSubscription } from '../people/ports.ts';
import { encryptedForEach, type PushText } from './push-encryption.ts';

export type PushEncrypter = {
  /** @returns a message's body, or null where the browser's keys are none that it can be encrypted for */
  encrypt(keys: PushSubscription['keys'], payload: string): Promise<Uint8Array | null>;
  close(): Promise<void>;
};

type Bodies = readonly (Uint8Array | null)[];

/** So many at a time and more are reason to start a thread: of fewer it would cost more than it takes off. */
const WORTH_A_THREAD = 16;
/** It makes little and keeps nothing. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 };
/** A hundred take some 20 ms: a thread that hasn't got to them after so long has come to harm. */
const SILENT_MS = 10_000;

/**
 * Encrypts push messages in a thread of its own, which halves what the event loop has to do for each: the curve alone
 * takes longer than everything else. What is asked for while the thread is at a list goes with the next.
 */
export function pushEncrypter(startThread: () => Worker = ownThread): PushEncrypter {
  let thread: Worker | null = null;
  let mayStart = true;
  let isClosed = false;
  let answered: (bodies: Bodies | null) => void = () => {};

  const encryptedTogether = inBatches(
    () => [] as PushText[],
    async (texts): Promise<Bodies> => {
      if (mayStart && texts.length >= WORTH_A_THREAD) {
        mayStart = false;
        thread = started();
      }
      return (thread && (await answerOf(thread, texts))) ?? encryptedForEach(texts);
    },
  );

  function started(): Worker {
    const made = startThread();
    made.unref();
    made.on('message', (bodies: Bodies) => answered(bodies));
    let why = 'its thread ended';
    made.on('error', ({ message }) => {
      why = message;
    });
    // What ended it may come again, so no other is started. Without it all goes on, more slowly.
    made.on('exit', () => {
      thread = null;
      if (!isClosed) process.emitWarning(`push messages are encrypted in the main thread: ${why}`);
      answered(null);
    });
    return made;
  }

  /** @returns null where the thread ended without one */
  function answerOf(asked: Worker, texts: readonly PushText[]): Promise<Bodies | null> {
    const silent = setTimeout(() => void asked.terminate(), SILENT_MS);
    return new Promise((resolve) => {
      answered = (bodies) => {
        clearTimeout(silent);
        resolve(bodies);
      };
      asked.postMessage(texts);
    });
  }

  return {
    async encrypt(keys, payload) {
      let at = 0;
      const bodies = await encryptedTogether((texts) => {
        at = texts.push({ keys, payload }) - 1;
      });
      return bodies[at] ?? null;
    },
    async close() {
      isClosed = true;
      await thread?.terminate();
    },
  };
}

/** Named by its folder too: the build puts this file elsewhere, at the same depth. */
const ownThread = (): Worker =>
  new Worker(new URL('../channels/push-encryption-thread.js', import.meta.url), {
    resourceLimits: LIMITS,
    execArgv: [],
  });
