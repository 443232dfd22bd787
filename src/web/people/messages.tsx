import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleHelp, Mail } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../api/queries.ts';
import type { Contact } from '../api/types.ts';
import type { Reported } from '../event/messages/report.ts';
import { WhyDialog } from '../event/messages/why-dialog.tsx';
import { deliveriesQuery } from '../ops/queries.ts';
import { Row } from '../ops/row.tsx';
import { Button } from '../parts/button.tsx';
import { List, Section } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';

/** The messages to a person, newest first, each with the reasons why. */
export function Messages({ person }: { person: Contact }) {
  const messages = useInfiniteQuery(deliveriesQuery({ user_id: person.user_id }));
  const sends = useMay('send_messages');
  const manages = useMay('manage_registrations');
  const [asked, setAsked] = useState<Reported | null>(null);
  return (
    <Section title={t('person.messages')} icon={Mail}>
      <List query={messages} none={t('person.noMessages')} className="-mx-4 divide-y divide-line sm:-mx-5">
        {(row) => {
          const about = { kind: row.about, id: row.event_id, updated_at: row.created_at };
          return (
            <Row key={row.id} row={row} hidesRecipient>
              {(about.kind === 'message' ? sends : manages) && row.event_title !== null && (
                <Button look="quiet" icon={CircleHelp} onClick={() => setAsked(about)}>
                  {t('person.why')}
                </Button>
              )}
            </Row>
          );
        }}
      </List>
      {asked && <WhyDialog about={asked} person={person} onClose={() => setAsked(null)} />}
    </Section>
  );
}
