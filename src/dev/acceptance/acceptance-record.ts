import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

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

export interface AcceptanceRecord {
  /** Returns when the lines are with the operating system: they survive the death of this process. */
  append(entries: readonly Acceptance[]): void;
  close(): void;
}

/** Opens the file for appending, creating its folder; without a file nothing is recorded. Several writers may share it. */
export function openRecord(file: string | undefined): AcceptanceRecord {
  if (file === undefined) return { append: () => {}, close: () => {} };
  mkdirSync(dirname(file), { recursive: true });
  let descriptor: number | undefined = openSync(file, 'a');
  return {
    append(entries) {
      if (descriptor === undefined || entries.length === 0) return;
      writeSync(descriptor, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}
