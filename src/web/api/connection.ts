import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

/** Between two attempts; random, so that a restarted server does not hear from all browsers in the same moment. */
const pauseMs = (): number => 3_000 + Math.random() * 4_000;

/** Records a request without an answer: queries wait, and go on once the server answers again. */
export function reportNoAnswer(): void {
  if (!onlineManager.isOnline()) return;
  onlineManager.setOnline(false);
  void tryUntilAnswered();
}

async function tryUntilAnswered(): Promise<void> {
  while (!onlineManager.isOnline()) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs()));
    await fetch('/client-config', { cache: 'no-store' }).then(
      () => onlineManager.setOnline(true),
      () => {},
    );
  }
}

/** Whether the server answers, as far as we know. */
export const useOnline = (): boolean => useSyncExternalStore(onlineManager.subscribe, () => onlineManager.isOnline());
