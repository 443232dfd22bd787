import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** The pause between two attempts: random, so that not all browsers ask a restarted server in the same moment. */
const pauseMs = (): number => 3_000 + Math.random() * 4_000;

/** Firefox ends all requests when another page is asked for, and shows this one until it comes. */
const LEAVING_MS = 500;
let leftAt = Number.NEGATIVE_INFINITY;
window.addEventListener('beforeunload', () => {
  leftAt = performance.now();
});

/** Records a request without a response: queries wait, and go on once the server responds again. */
export function reportNoResponse(): void {
  if (!onlineManager.isOnline() || performance.now() - leftAt < LEAVING_MS) return;
  onlineManager.setOnline(false);
  void tryUntilOnline();
}

async function tryUntilOnline(): Promise<void> {
  while (!onlineManager.isOnline()) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs()));
    await fetch('/client-config', { cache: 'no-store' }).then(
      () => onlineManager.setOnline(true),
      () => {},
    );
  }
}

/** Whether the server responds, as far as we know. */
export const useOnline = (): boolean => useSyncExternalStore(onlineManager.subscribe, () => onlineManager.isOnline());
