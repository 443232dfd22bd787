/**
 * Subscribes to changes from the moment the promise resolves, also those of other processes. Changes may repeat. If any may
 * have been missed, `lost` is called once and nothing after it.
 */
export type Listen<T> = (on: (signal: T) => void, lost: (error: unknown) => void) => Promise<() => Promise<void>>;
