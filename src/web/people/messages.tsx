import '../ops/texts.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleHelp, Mail } from 'lucide-react';
import { useState } from 'react';
import type { Contact, Me } from '../api/types.ts';
import type { Reported } from '../event/messages/report.ts';
import { WhyDialog } from '../event/messages/why-dialog.tsx';
import { Section } from '../event/section.tsx';
import { deliveriesQuery } from '../ops/queries.ts';
import { Row } from '../ops/row.tsx';
import { Button } from '../parts/button.tsx';
import { Loaded, MoreButton } from '../parts/loaded.tsx';
import { t } from '../texts/texts.ts';

/** The messages to a person, newest first, each with the reasons why. */
export function Messages({ person, me }: { person: Contact; me: Me }) {
  const messages = useInfiniteQuery(deliveriesQuery({ user_id: person.user_id }));
  const [asked, setAsked] = useState<Reported | null>(null);
  return (
    <Section title={t('person.messages')} icon={<Mail size={17} aria-hidden />}>
      <Loaded query={messages} label={t('person.waiting')} lines={4}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="text-soft">{t('person.noMessages')}</p>
          ) : (
            <ul className="-mx-4 sm:-mx-5">
              {rows.map((row) => {
                const isOfSchool = row.trigger === 'message.school' || row.trigger === 'message.urgent';
                const about = {
                  kind: isOfSchool ? 'message' : 'event',
                  id: row.event_id,
                  updated_at: row.created_at,
                } as const;
                const mayAsk = me.may.includes(isOfSchool ? 'send_messages' : 'manage_registrations');
                return (
                  <Row
                    key={row.id}
                    row={row}
                    actions={
                      mayAsk && row.event_title !== null ? (
                        <Button look="quiet" onClick={() => setAsked(about)}>
                          <CircleHelp size={16} aria-hidden />
                          {t('person.why')}
                        </Button>
                      ) : undefined
                    }
                  />
                );
              })}
            </ul>
          )
        }
      </Loaded>
      <MoreButton query={messages} label={t('inbox.more')} />
      {asked && <WhyDialog about={asked} person={person} onClose={() => setAsked(null)} />}
    </Section>
  );
}
