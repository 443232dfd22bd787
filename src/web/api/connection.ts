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

/** @throws if a proxy responds in place of the server, as during a restart */
export function fromServer(response: Response): Response {
  if (response.status > 500 && !response.headers.get('content-type')?.includes('json')) throw new Error('no response');
  return response;
}

/** Records a request without a response: queries wait, and go on once the server responds again. */
export function reportNoResponse(): void {
  if (!onlineManager.isOnline() || performance.now() - leftAt < LEAVING_MS) return;
  onlineManager.setOnline(false);
  void tryUntilOnline();
}

async function tryUntilOnline(): Promise<void> {
  while (!onlineManager.isOnline()) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs()));
    await fetch('/client-config', { cache: 'no-store' })
      .then(fromServer)
      .then(() => onlineManager.setOnline(true))
      .catch(() => {});
  }
}

/** Whether the server responds, as far as we know. */
export const useOnline = (): boolean => useSyncExternalStore(onlineManager.subscribe, () => onlineManager.isOnline());
