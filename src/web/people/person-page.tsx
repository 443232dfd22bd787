import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { CircleHelp, Download, Eye, Mail, Send, Trash2, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../api/queries.ts';
import type { Contact } from '../api/types.ts';
import { Badge } from '../event-parts/badge.tsx';
import { groupsText } from '../event-parts/people.ts';
import { deliveriesQuery } from '../ops/queries.ts';
import { Row } from '../ops/row.tsx';
import { AskButton } from '../parts/ask.tsx';
import { BackLink, Button } from '../parts/button.tsx';
import { showNotice } from '../parts/notices.tsx';
import { List, Loaded, Page, PageHeader, Section } from '../parts/page.tsx';
import { Answers } from '../reports/answers.tsx';
import type { Reported } from '../reports/report.ts';
import { WhyDialog } from '../reports/why-dialog.tsx';
import { momentIn } from '../texts/dates.ts';
import { capital, t, word } from '../texts/texts.ts';
import {
  channelsQuery,
  childrenQuery,
  contactQuery,
  downloadPerson,
  erasePerson,
  guardiansQuery,
  liftSuppression,
  type PersonChannel,
  viewsQuery,
} from './data.ts';

/** One person of the directory. */
export default function PersonPage() {
  const { id } = useParams({ from: '/signed-in/people/$id' });
  const person = useQuery(contactQuery(id));
  return (
    <Page title={person.data?.name ?? t('people.label')} needs="manage_contacts">
      <BackLink to="/people">{t('people.label')}</BackLink>
      <Loaded query={person}>{(found) => <Details person={found} />}</Loaded>
    </Page>
  );
}

function Details({ person }: { person: Contact }) {
  const { user_id, name, guardians } = person;
  const manages = useMay('manage_registrations');
  const operates = useMay('manage_deliveries');
  return (
    <>
      <PageHeader title={name} text={capital(groupsText(person))}>
        <Actions person={person} />
      </PageHeader>
      <article className="grid gap-4">
        {person.left_at && (
          <p className="font-medium text-warn">{t('person.leftOn', { when: momentIn(person.left_at) })}</p>
        )}
        <Channels user_id={user_id} />
        <Relatives title={t('person.guardians')} query={guardiansQuery(guardians)} />
        <Relatives title={t('person.children')} query={childrenQuery(user_id)} />
        {manages && <Answers user_id={user_id} />}
        {operates && <Messages person={person} />}
        <Views user_id={user_id} />
      </article>
    </>
  );
}

/** Guardians or children; nothing if there are none. */
function Relatives({ title, query }: { title: string; query: ReturnType<typeof childrenQuery> }) {
  const { data: people = [] } = useQuery(query);
  if (people.length === 0) return null;
  return (
    <Section title={title} icon={UsersRound}>
      <ul className="grid gap-1">
        {people.map((person) => (
          <li key={person.user_id}>
            <Link
              to="/people/$id"
              params={{ id: person.user_id }}
              className="inline-flex min-h-8 items-center font-medium text-accent-text hover:underline max-sm:min-h-11"
            >
              {person.name}
            </Link>
            <span className="text-sm text-soft">
              {[groupsText(person), person.email, person.phone].flatMap((one) => (one ? ` · ${one}` : []))}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The staff who viewed the school as this person; renders nothing if there are none. */
function Views({ user_id }: { user_id: string }) {
  const { data: views = [] } = useQuery(viewsQuery(user_id));
  if (views.length === 0) return null;
  return (
    <Section title={t('person.views')} icon={Eye}>
      <ul className="grid gap-1">
        {views.map(({ user_id: by, name, at }) => (
          <li key={`${by} ${at}`}>
            {name ?? by}
            <span className="text-sm text-soft"> · {momentIn(at)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Actions({ person: { user_id, name } }: { person: Contact }) {
  const navigate = useNavigate();
  const save = useMutation({ mutationFn: () => downloadPerson(user_id, name) });
  const erase = async () => {
    await erasePerson(user_id);
    showNotice(t('person.erased'));
    await navigate({ to: '/people' });
  };
  return (
    <>
      <Button icon={Download} busy={save.isPending} onClick={() => save.mutate()}>
        {t('person.export')}
      </Button>
      <AskButton
        look="danger"
        icon={Trash2}
        label={t('person.erase')}
        title={t('person.erase.ask', { name })}
        confirm={t('person.erase.confirm')}
        run={erase}
      >
        {t('person.erase.text')}
      </AskButton>
    </>
  );
}

/** The channels that reach a person, with their addresses and what stops messages. */
function Channels({ user_id }: { user_id: string }) {
  const channels = useQuery(channelsQuery(user_id));
  return (
    <Section title={t('person.channels')} icon={Send}>
      <List query={channels} none={null} className="grid gap-3">
        {(row) => <Channel key={row.channel} {...row} />}
      </List>
    </Section>
  );
}

function Channel({ channel, address, browsers, opted_out, suppression }: PersonChannel) {
  const other = channel === 'push' ? t('person.browsers', { count: browsers }) : t(`person.missing.${channel}`);
  return (
    <li className="grid gap-0.5 border-t border-line pt-3 first:border-t-0 first:pt-0">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <span className="font-medium">{word('channel', channel)}</span>
        <span className="min-w-0 break-words text-soft">{address ?? other}</span>
        {suppression && <Badge look="bg-bad-soft text-bad" text={t(`person.${suppression.kind}`)} />}
      </p>
      {opted_out.length > 0 && (
        <p className="text-sm text-soft">
          {opted_out.includes('*')
            ? t('person.optedOutOfAll')
            : t('person.optedOut', { what: opted_out.map((one) => word('trigger', one)).join(', ') })}
        </p>
      )}
      {suppression && <Suppressed suppression={suppression} />}
    </li>
  );
}

function Suppressed({ suppression }: { suppression: NonNullable<PersonChannel['suppression']> }) {
  const { id, kind, since, until, why } = suppression;
  const mayLift = useMay('manage_deliveries');
  const lift = useMutation({ mutationFn: () => liftSuppression(id), onSuccess: () => showNotice(t('person.lifted')) });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
      <span>
        {t(`person.${kind}.since`, { since: momentIn(since), why })}{' '}
        {until && t('person.until', { until: momentIn(until) })}
      </span>
      {mayLift && (
        <Button className="min-h-8 text-sm" busy={lift.isPending} onClick={() => lift.mutate()}>
          {t('person.lift')}
        </Button>
      )}
    </div>
  );
}

/** The messages to a person, newest first, each with the reasons why. */
function Messages({ person }: { person: Contact }) {
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
