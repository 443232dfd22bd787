import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Megaphone, PenLine, ScrollText } from 'lucide-react';
import { ButtonLink } from '../parts/button.tsx';
import { Empty, List, Page, PageHeader } from '../parts/page.tsx';
import { momentIn } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { MessageBadges } from './badges.tsx';
import { messagesQuery, toText } from './data.ts';

/** The messages of the school that belong to no event. */
export default function MessagesPage() {
  const messages = useInfiniteQuery(messagesQuery);
  return (
    <Page title={t('nav.messages')} needs="send_messages">
      <PageHeader title={t('nav.messages')}>
        <ButtonLink to="/messages/texts" icon={ScrollText}>
          {t('schoolMessage.saved')}
        </ButtonLink>
        <ButtonLink to="/messages/new" look="main" icon={PenLine}>
          {t('schoolMessage.new')}
        </ButtonLink>
      </PageHeader>
      <List
        query={messages}
        none={<Empty icon={Megaphone} title={t('schoolMessage.none')} text={t('schoolMessage.noneText')} />}
      >
        {(message) => (
          <li key={message.id} className="relative px-4 py-3 hover:bg-hover">
            <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
              <Link
                to="/messages/$id"
                params={{ id: message.id }}
                className="min-w-0 font-medium break-words after:absolute after:inset-0"
              >
                {message.subject}
              </Link>
              <MessageBadges message={message} />
            </p>
            <p className="text-sm text-soft">
              {[toText(message), momentIn(message.created_at), message.sender_name].filter(Boolean).join(' · ')}
            </p>
          </li>
        )}
      </List>
    </Page>
  );
}
