import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { InboxEntry, Me } from '../api/types.ts';
import { notify } from '../parts/notices.tsx';
import { t } from '../texts/texts.ts';
import type { Told } from './news.ts';
import { onePerBrowser } from './one-per-browser.ts';
import { keepListening } from './stream.ts';
import { newsTaker } from './take-in.ts';

/** As long as somebody is signed in: what comes to their inbox, and which events change, over one connection. */
export function useLive(me: Me | undefined): void {
  const navigate = useNavigate();
  const person = me && JSON.stringify([me.school.id, me.user_id]);
  const events = me?.may.includes('view_events') ?? false;
  useEffect(() => {
    if (!person) return;
    const open = (entry: InboxEntry | undefined) =>
      entry ? navigate({ to: '/events/$id', params: { id: entry.event_id } }) : navigate({ to: '/inbox' });
    const news = newsTaker((entries) => {
      // One of several tabs is looked at: it says so.
      if (document.visibilityState !== 'visible') return;
      const [first, ...more] = entries;
      if (!first) return;
      const text = more.length > 0 ? t('inbox.newOnes', { count: entries.length }) : first.title;
      const run = () => void open(more.length > 0 ? undefined : first);
      notify(text, { undo: { label: t('inbox.open'), run }, icon: 'message' });
    });
    return onePerBrowser<Told>(`live ${person}`, {
      lead: (tell, signal) => keepListening({ events, lastId: news.lastId, on: tell, signal }),
      hear: news.take,
    });
  }, [person, events, navigate]);

  const user_id = me?.user_id;
  useEffect(() => {
    if (user_id === undefined || !('serviceWorker' in navigator)) return;
    if (localStorage.getItem('push')) {
      void import('../settings/push.ts').then(({ keepPush }) => keepPush(user_id)).catch(() => {});
    }
    // Somebody clicked a message that was pushed to this browser.
    const onMessage = ({ data }: MessageEvent<{ goTo?: string }>) => {
      if (data?.goTo) void navigate({ to: data.goTo });
    };
    navigator.serviceWorker.addEventListener('message', onMessage);
    return () => navigator.serviceWorker.removeEventListener('message', onMessage);
  }, [user_id, navigate]);
}
