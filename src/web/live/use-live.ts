import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { InboxEntry, Me } from '../api/types.ts';
import { showNotice } from '../parts/notices.tsx';
import { viewedAs } from '../session/stored.ts';
import { t } from '../texts/texts.ts';
import { createMessageHandler } from './handle-message.ts';
import { registerServiceWorker } from './service-worker.ts';
import { keepStreamOpen, type StreamMessage } from './stream.ts';

/** Applies new inbox messages and changed events live, over one connection per browser. */
export function useLive(me: Me | undefined): void {
  const navigate = useNavigate();
  // The stream and the push messages of this browser belong to its user.
  const isOwn = viewedAs() === null;
  const person = isOwn && me && JSON.stringify([me.school.id, me.user_id]);
  const events = me?.may.includes('view_events') ?? false;
  useEffect(() => {
    if (!person) return;
    const open = (entry: InboxEntry | undefined) => navigate({ to: entry ? new URL(entry.url).pathname : '/inbox' });
    const { lastId, handle } = createMessageHandler((entries) => {
      // Only the visible tab shows a notice.
      if (document.visibilityState !== 'visible') return;
      const [first, ...more] = entries;
      if (!first) return;
      const text = more.length > 0 ? t('inbox.newOnes', { count: entries.length }) : first.title;
      showNotice(text, { open: () => void open(more.length > 0 ? undefined : first) });
    });
    const lead: Lead = (on, signal) => keepStreamOpen({ events, lastId, on, signal });
    return electTabLeader(`live ${person}`, lead, handle);
  }, [person, events, navigate]);

  const user_id = isOwn ? me?.user_id : undefined;
  useEffect(() => {
    if (user_id === undefined || !('serviceWorker' in navigator)) return;
    void registerServiceWorker().catch(() => {});
    if (localStorage.getItem('push')) {
      void import('../settings/push.ts').then(({ syncSubscription }) => syncSubscription(user_id)).catch(() => {});
    }
    // The user clicked a push message.
    const onMessage = ({ data }: MessageEvent<{ goTo?: string }>) => {
      if (data?.goTo) void navigate({ to: data.goTo });
    };
    navigator.serviceWorker.addEventListener('message', onMessage);
    return () => navigator.serviceWorker.removeEventListener('message', onMessage);
  }, [user_id, navigate]);
}

type OnMessage = (message: StreamMessage) => void;
/** Runs in the leading tab until `signal` aborts; `send` reaches every tab. */
type Lead = (send: OnMessage, signal: AbortSignal) => Promise<void>;

/**
 * Elects one of the browser's tabs as leader, which sends messages to all of them. A Web Lock decides: the browser passes it
 * on when the leading tab closes. Without Web Locks (no https), every tab leads itself.
 * @returns leaves the election
 */
function electTabLeader(name: string, lead: Lead, onMessage: OnMessage): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const locks: LockManager | undefined = navigator.locks;
  if (!locks) {
    void lead(onMessage, signal);
    return () => leaving.abort();
  }
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<StreamMessage>) => onMessage(data);
  const send: OnMessage = (message) => {
    if (signal.aborted) return;
    channel.postMessage(message);
    onMessage(message);
  };
  locks.request(name, { signal }, () => lead(send, signal)).catch(() => {});
  return () => {
    leaving.abort();
    channel.close();
  };
}
