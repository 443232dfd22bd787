import { useInfiniteQuery } from '@tanstack/react-query';
import { MessageSquareReply } from 'lucide-react';
import { listQuery } from '../api/queries.ts';
import { List, Section } from '../parts/page.tsx';
import { momentIn } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { reportList, type Subject } from './report.ts';

/** The answers to the text messages of an event or a message, or those of one person; nothing if there are none. */
export function Answers({ about, user_id }: { about: Subject; user_id?: never } | { about?: never; user_id: string }) {
  const answers = useInfiniteQuery(
    about
      ? reportList(about, 'answers', { limit: 20 })
      : listQuery(['answers', user_id], '/api/v1/operations/answers', { query: { limit: 20, user_id } }),
  );
  if (!answers.data?.length) return null;
  return (
    <Section title={t('event.answers')} icon={MessageSquareReply}>
      <List query={answers} none={null} className="grid gap-3">
        {({ id: key, name, text, received_at }) => (
          <li key={key} className="border-t border-line pt-3 first:border-t-0 first:pt-0">
            <p className="whitespace-pre-line">{text}</p>
            <p className="text-sm text-soft">
              {name && `${name} · `}
              <time dateTime={received_at}>{momentIn(received_at)}</time>
            </p>
          </li>
        )}
      </List>
    </Section>
  );
}
