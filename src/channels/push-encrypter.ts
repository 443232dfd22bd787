import { Worker } from 'node:worker_threads';
import type { PushSubscription } from '../people/ports.ts';
import { encryptedForEach, type PushText } from './push-encryption.ts';

export type PushEncrypter = {
  /** @returns a message's body, or null where the browser's keys are none that it can be encrypted for */
  encrypt(keys: PushSubscription['keys'], payload: string): Promise<Uint8Array | null>;
  close(): Promise<void>;
};

type Wanted = { text: PushText; resolve(body: Uint8Array | null): void };

/** So many at a time and more are reason to start a thread: of fewer it would cost more than it takes off. */
const WORTH_A_THREAD = 16;
/** It makes little and keeps nothing. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 };
/** A hundred take some 20 ms: a thread that hasn't got to them after so long has come to harm. */
const SILENT_MS = 10_000;

/**
 * Encrypts push messages in a thread of its own, which halves what the event loop has to do for each: the curve alone
 * takes longer than everything else. What is asked for in one turn of the loop goes there together.
 */
export function pushEncrypter(startThread: () => Worker = ownThread): PushEncrypter {
  let thread: Worker | null = null;
  let mayStart = true;
  let isClosed = false;
  let gathered: Wanted[] = [];
  /** what the thread is at, in the order in which it answers */
  const given: { batch: Wanted[]; silent: NodeJS.Timeout }[] = [];

  function give(): void {
    const batch = gathered;
    gathered = [];
    if (mayStart && batch.length >= WORTH_A_THREAD) {
      mayStart = false;
      thread = started();
    }
    if (!thread) return void here(batch);
    const ours = thread;
    given.push({ batch, silent: setTimeout(() => void ours.terminate(), SILENT_MS) });
    ours.postMessage(textsOf(batch));
  }

  function started(): Worker {
    const made = startThread();
    made.unref();
    made.on('message', (bodies: (Uint8Array | null)[]) => answer(taken(), bodies));
    let why = 'its thread ended';
    made.on('error', ({ message }) => {
      why = message;
    });
    // What ended it may come again, so no other is started. Without it all goes on, more slowly.
    made.on('exit', () => {
      thread = null;
      if (!isClosed) process.emitWarning(`push messages are encrypted in the main thread: ${why}`);
      while (given.length > 0) here(taken());
    });
    return made;
  }

  function taken(): Wanted[] {
    const first = given.shift();
    clearTimeout(first?.silent);
    return first?.batch ?? [];
  }

  return {
    encrypt(keys, payload) {
      if (gathered.length === 0) setImmediate(give);
      return new Promise((resolve) => gathered.push({ text: { keys, payload }, resolve }));
    },
    async close() {
      isClosed = true;
      await thread?.terminate();
    },
  };
}

const here = (batch: readonly Wanted[]): void => answer(batch, encryptedForEach(textsOf(batch)));

const textsOf = (batch: readonly Wanted[]): PushText[] => batch.map(({ text }) => text);

function answer(batch: readonly Wanted[], bodies: readonly (Uint8Array | null)[]): void {
  for (const [at, { resolve }] of batch.entries()) resolve(bodies[at] ?? null);
}

/** Named by its folder too: the build puts this file elsewhere, at the same depth. */
const ownThread = (): Worker =>
  new Worker(new URL('../channels/push-encryption-thread.js', import.meta.url), {
    resourceLimits: LIMITS,
    execArgv: [],
  });
