/** Wakes loops that sleep until their next item is due, when work was made that may be due earlier. */
export type WakeUps = {
  /** Calls the listener at each wake-up, and whenever some may have been missed. */
  subscribe(listener: () => void): void;
};

export type LocalWakeUps = WakeUps & { notify(): void };

/** Wake-ups within this process. */
export function localWakeUps(): LocalWakeUps {
  const listeners: (() => void)[] = [];
  return {
    subscribe: (listener) => void listeners.push(listener),
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
