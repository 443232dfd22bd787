import { useMutation, useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { Download, Eye, Trash2, UsersRound } from 'lucide-react';
import { useMay } from '../api/queries.ts';
import type { Contact } from '../api/types.ts';
import { Answers } from '../event/messages/answers.tsx';
import { groupsText } from '../event-parts/people.ts';
import { AskButton } from '../parts/ask.tsx';
import { BackLink, Button } from '../parts/button.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Loaded, Page, PageHeader, Section } from '../parts/page.tsx';
import { momentIn } from '../texts/dates.ts';
import { t } from '../texts/texts.ts';
import { Channels } from './channels.tsx';
import { childrenQuery, contactQuery, downloadPerson, erasePerson, guardiansQuery, viewsQuery } from './data.ts';
import { Messages } from './messages.tsx';

/** One person of the directory. */
function PersonPage() {
  const { id } = Route.useParams();
  const person = useQuery(contactQuery(id));
  return (
    <Page title={person.data?.name ?? t('people.label')}>
      <BackLink to="/people">{t('people.label')}</BackLink>
      <Loaded query={person} lines={8}>
        {(found) => <Details person={found} />}
      </Loaded>
    </Page>
  );
}

function Details({ person }: { person: Contact }) {
  const { user_id, name, guardians } = person;
  const manages = useMay('manage_registrations');
  const operates = useMay('manage_deliveries');
  return (
    <>
      <PageHeader title={name} text={<p className="first-letter:uppercase">{groupsText(person)}</p>}>
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

export const Route = createLazyRoute('/signed-in/people/$id')({ component: PersonPage });
