import './texts.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Megaphone, PenLine, ScrollText } from 'lucide-react';
import { buttonClass } from '../parts/button.tsx';
import { Empty } from '../parts/empty.tsx';
import { Loaded, MoreButton } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { momentIn, ownZone } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { MessageBadges } from './badges.tsx';
import { messagesQuery, toText } from './data.ts';

/** The messages of the school that belong to no event. */
function MessagesPage() {
  const messages = useInfiniteQuery(messagesQuery);
  return (
    <Page title={t('nav.messages')}>
      <header className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold">{t('nav.messages')}</h1>
        <div className="flex flex-wrap gap-2">
          <Link to="/messages/texts" className={buttonClass()}>
            <ScrollText size={17} aria-hidden />
            {t('schoolMessage.saved')}
          </Link>
          <Link to="/messages/new" className={buttonClass('main')}>
            <PenLine size={17} aria-hidden />
            {t('schoolMessage.new')}
          </Link>
        </div>
      </header>
      <Loaded query={messages} label={t('schoolMessage.waiting')} lines={6}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={<Megaphone size={28} aria-hidden />} title={t('schoolMessage.none')}>
              <p>{t('schoolMessage.noneText')}</p>
            </Empty>
          ) : (
            <ul className="rounded-card border border-line bg-card">
              {rows.map((message) => (
                <li
                  key={message.id}
                  className="relative border-t border-line px-4 py-3 first:border-t-0 hover:bg-hover"
                >
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
                    {[toText(message), momentIn(message.created_at, ownZone()), message.sender_name]
                      .filter(Boolean)
                      .join(' · ')}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton query={messages} />
    </Page>
  );
}

export const Route = createLazyRoute('/signed-in/messages')({ component: MessagesPage });
