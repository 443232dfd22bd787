import { useSyncExternalStore } from 'react';

type Store<T> = {
  get: () => T;
  set: (next: T) => void;
  /** Calls `listener` after each change. @returns a function that ends this */
  subscribe: (listener: () => void) => () => void;
};

/** A value outside of React, which components read with `useStore`. */
export function createStore<T>(value: T): Store<T> {
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useStore = <T>({ subscribe, get }: Store<T>): T => useSyncExternalStore(subscribe, get);
