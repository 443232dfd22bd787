import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Acknowledgements } from '../acknowledgements/report.tsx';
import type { SchoolMessage } from '../api/types.ts';
import { AskButton } from '../parts/ask.tsx';
import { BackLink } from '../parts/button.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Loaded, Page, PageHeader } from '../parts/page.tsx';
import { Answers } from '../reports/answers.tsx';
import { Deliveries } from '../reports/deliveries.tsx';
import { momentIn } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';
import { MessageBadges } from './badges.tsx';
import { messageQuery, toText, withdraw } from './data.ts';

/** One sent message, with its report. */
export default function MessagePage() {
  const { id } = useParams({ from: '/signed-in/messages/$id' });
  const query = useQuery(messageQuery(id));
  return (
    <Page title={query.data?.subject ?? ''}>
      <BackLink to="/messages">{t('nav.messages')}</BackLink>
      <Loaded query={query}>{(message) => <Details message={message} />}</Loaded>
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
    <>
      <PageHeader
        title={subject}
        text={
          <>
            {[toText(message), channels.map((one) => word('channel', one)).join(', ')].join(' · ')}{' '}
            <MessageBadges message={message} />
            <p>
              {[momentIn(created_at), sender_name].filter(Boolean).join(' · ')}
              {message.reply_to?.name && ` · ${t('schoolMessage.answersTo', { name: message.reply_to.name })}`}
            </p>
          </>
        }
      >
        {message.status === 'sent' && (
          <AskButton look="danger" label={t('schoolMessage.withdraw')} run={() => withdrawAndSay(id)}>
            {t('schoolMessage.withdrawText')}
          </AskButton>
        )}
      </PageHeader>
      <article className="grid gap-4">
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
        {message.asks_acknowledgement && <Acknowledgements about={about} reminder={message.acknowledgement_reminder} />}
        <Answers about={about} />
        <Deliveries about={about} />
      </article>
    </>
  );
}

async function withdrawAndSay(id: string): Promise<void> {
  await withdraw(id);
  showNotice(t('schoolMessage.withdrawn'));
}
