import './texts.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { Acknowledgements } from '../acknowledgements/report.tsx';
import { ApiError } from '../api/problem.ts';
import { queryClient } from '../api/queries.ts';
import type { SchoolMessage } from '../api/types.ts';
import { NotFound } from '../app/not-found.tsx';
import { Answers } from '../event/messages/answers.tsx';
import { Deliveries } from '../event/messages/deliveries.tsx';
import { BackLink } from '../parts/back-link.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { momentIn, ownZone } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';
import { MessageBadges } from './badges.tsx';
import { messageQuery, toText, withdraw } from './data.ts';

/** One sent message, with its report. */
function MessagePage() {
  const { id } = Route.useParams() as { id: string };
  const query = useQuery(messageQuery(id));
  if (query.error instanceof ApiError && query.error.status === 404) return <NotFound />;
  return (
    <Page title={query.data?.subject ?? ''}>
      <BackLink to="/messages" label={t('nav.messages')} />
      <Loaded query={query} label={t('schoolMessage.waiting')} lines={8}>
        {(message) => <Details message={message} />}
      </Loaded>
    </Page>
  );
}

function Details({ message }: { message: SchoolMessage }) {
  const { id, subject, body, translations, channels, sender_name, created_at, send_at, withdrawn_at } = message;
  const texts = [
    { lang: undefined, subject: '', body },
    ...Object.entries(translations ?? {}).map(([lang, words]) => ({ lang, ...words })),
  ];
  const about = { kind: 'message', id, updated_at: withdrawn_at ?? send_at } as const;
  return (
    <article className="grid grid-cols-1 gap-4">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <MessageBadges message={message} />
          <h1 className="text-2xl font-semibold break-words">{subject}</h1>
          <p className="text-soft">
            {[toText(message), channels.map((one) => word('channel', one)).join(', ')].join(' · ')}
          </p>
          <p className="text-soft">
            {[momentIn(created_at, ownZone()), sender_name].filter(Boolean).join(' · ')}
            {message.reply_to?.name && ` · ${t('schoolMessage.answersTo', { name: message.reply_to.name })}`}
          </p>
        </div>
        {message.status === 'sent' && <Withdraw id={id} />}
      </header>
      {texts.map((text) => (
        <section
          key={text.lang ?? ''}
          lang={text.lang}
          className="rounded-card border border-line bg-card p-4 break-words whitespace-pre-line"
        >
          {text.subject && <h2 className="mb-1 font-semibold">{text.subject}</h2>}
          {text.body}
        </section>
      ))}
      {message.asks_acknowledgement && <Acknowledgements about={about} />}
      <Answers about={about} />
      <Deliveries about={about} />
    </article>
  );
}

function Withdraw({ id }: { id: string }) {
  const [isAsking, setAsking] = useState(false);
  const change = useMutation({
    mutationFn: () => withdraw(id),
    onSuccess: async () => {
      setAsking(false);
      showNotice(t('schoolMessage.withdrawn'));
      await Promise.all(['message', 'messages'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
    },
  });
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t('schoolMessage.withdraw')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('schoolMessage.withdraw')}
          confirm={t('schoolMessage.withdraw')}
          look="danger"
          busy={change.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => change.mutate()}
        >
          <p>{t('schoolMessage.withdrawText')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

export const Route = createLazyRoute('/signed-in/messages/$id')({ component: MessagePage });
