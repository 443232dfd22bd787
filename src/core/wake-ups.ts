/** Wakes loops that sleep until their next item is due, when work was made that may be due earlier. */
export type WakeUps = {
  /** Calls the listener at the first wake-up after `arm`, or if wake-ups may have been missed. */
  subscribe(listener: () => void): void;
  /** Listens from now on, until the next wake-up. @throws Error if the database can't be reached */
  arm(): Promise<void>;
};

/** Wake-ups that this process sends itself. */
export function localWakeUps(): WakeUps & { notify(): void } {
  const listeners: (() => void)[] = [];
  return {
    subscribe: (listener) => void listeners.push(listener),
    arm: async () => {},
    notify() {
      for (const listener of listeners) listener();
    },
  };
}

/**
 * Subscribes to changes from the moment the promise resolves, also those of other processes. Changes may repeat. If any may
 * have been missed, `lost` is called once and nothing after it.
 */
export type Listen<T> = (on: (signal: T) => void, lost: (error: unknown) => void) => Promise<() => Promise<void>>;
