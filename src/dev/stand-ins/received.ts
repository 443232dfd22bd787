import { EventEmitter, once } from 'node:events';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export type ReceiveOptions = {
  /** A file that gets one JSON line (`Acceptance`) per accepted message and recipient, before the answer is sent. */
  recordTo?: string;
  /** How many messages are kept, 5,000 by default. All are counted. */
  keep?: number;
};

const WAIT_MS = 10_000;

/** The messages that a stand-in has accepted: recorded in a file, the latest kept in memory. */
export function receivedMessages<T>({ recordTo, keep = 5_000 }: ReceiveOptions) {
  const record = openRecord(recordTo);
  const arrivals = new EventEmitter().setMaxListeners(0);
  let messages: T[] = [];
  let count = 0;

  return {
    /** The latest messages, oldest first. */
    get messages(): readonly T[] {
      return messages.slice(-keep);
    },
    /** How many were ever accepted, kept or not. */
    get count() {
      return count;
    },
    /** Records a message before it is confirmed to its sender. */
    accept(message: T, acceptances: readonly Acceptance[]) {
      record.append(acceptances);
      count++;
      messages.push(message);
      // Cut in halves, so that a long run doesn't move the whole list with every message.
      if (messages.length >= keep * 2) messages = messages.slice(-keep);
      arrivals.emit('message');
    },
    /** Resolves to the first kept message that fits, or the next one to come; rejects after `timeoutMs`, 10 s by default. */
    async waitFor(predicate: (message: T) => boolean, { timeoutMs = WAIT_MS } = {}): Promise<T> {
      const signal = AbortSignal.timeout(timeoutMs);
      for (;;) {
        const found = messages.find(predicate);
        if (found !== undefined) return found;
        await once(arrivals, 'message', { signal }).catch(() => {
          throw new Error(`no such message came; ${count} in all`);
        });
      }
    },
    closeRecord: record.close,
  };
}

/** One message that a stand-in provider accepted, as a JSON line; null for what the message does not carry. */
export interface Acceptance {
  /** ISO time in UTC, by the stand-in's clock. */
  at: string;
  channel: 'email' | 'sms' | 'push';
  recipient: string;
  message_id: string | null;
  delivery: string | null;
  tenant: string | null;
  event: string | null;
  trigger: string | null;
  /** Push only: messages of one device and topic replace each other. */
  topic?: string | null;
}

/** Opens the file for appending, creating its folder; without a file nothing is recorded. Several writers may share it. */
function openRecord(file: string | undefined) {
  if (file === undefined) return { append: () => {}, close: () => {} };
  mkdirSync(dirname(file), { recursive: true });
  let descriptor: number | undefined = openSync(file, 'a');
  return {
    /** Returns when the lines are with the operating system: they survive the death of this process. */
    append(entries: readonly Acceptance[]) {
      if (descriptor === undefined || entries.length === 0) return;
      writeSync(descriptor, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}
