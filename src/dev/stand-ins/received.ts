import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

export type ReceiveOptions = {
  /** A file that gets one JSON line (`Acceptance`) per accepted message and recipient. Several writers may share it. */
  recordTo?: string;
};

/** How many messages are kept. All are counted. */
const KEPT = 5_000;

/** The messages that a stand-in has accepted: recorded in a file, the latest kept in memory. */
export function receivedMessages<T>({ recordTo }: ReceiveOptions) {
  if (recordTo !== undefined) mkdirSync(dirname(recordTo), { recursive: true });
  const messages: T[] = [];
  let count = 0;

  return {
    /** The latest messages, oldest first. */
    messages: messages as readonly T[],
    /** How many were ever accepted, kept or not. */
    get count() {
      return count;
    },
    /** Records a message before it is confirmed to its sender, so that the record survives the death of this process. */
    accept(message: T, acceptances: readonly Acceptance[]) {
      if (recordTo !== undefined)
        appendFileSync(recordTo, acceptances.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      count++;
      if (messages.push(message) > KEPT) messages.shift();
    },
  };
}

/** One message that a stand-in provider accepted, as a JSON line; null for what the message does not carry. */
export type Acceptance = {
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
};
