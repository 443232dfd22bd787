import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, faultAt, faultsIn } from '../api/problem.ts';
import { invalidate, meQuery, queryClient, useMe } from '../api/queries.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { Form, SubmitBar, useFormMutation, useLeaveQuestion } from '../parts/forms/form.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Loaded, Page, PageHeader, Section } from '../parts/page.tsx';
import { same } from '../parts/same.ts';
import { t } from '../texts/texts.ts';
import { bodyOf, putSchool, type School, type SchoolBody, schoolQuery } from './data.ts';
import { ChannelsCard, HolidaysCard, LookCard, type Part, QuietCard } from './form-cards.tsx';
import { OutsideCard } from './outside-card.tsx';
import { TextsCard } from './texts-card.tsx';
import { WebhooksCard } from './webhooks-card.tsx';

/** Settings of the school, for those who manage them. */
export default function SchoolPage() {
  const school = useQuery(schoolQuery);
  const me = useMe();
  return (
    <Page title={t('nav.school')}>
      <PageHeader title={t('nav.school')} />
      <Loaded query={school}>
        {(data) => (
          <div className="grid gap-4">
            <SchoolForm school={data} />
            <OutsideCard />
            <TextsCard school={data} />
            {me && <WebsiteCard school={me.school.id} />}
            <WebhooksCard />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const isStale = (error: unknown): boolean => error instanceof ApiError && error.status === 412;

function SchoolForm({ school }: { school: School }) {
  const [changed, setChanged] = useState<Partial<SchoolBody>>({});
  const body = { ...bodyOf(school), ...changed };
  const save = useFormMutation({
    mutationFn: (sent: SchoolBody) => putSchool(school.etag, sent),
    // Fields that the user has not changed then show the changes of someone else.
    onError: (error) => (isStale(error) ? invalidate(schoolQuery.queryKey) : undefined),
    onSuccess: (saved, sent) => {
      queryClient.setQueryData(schoolQuery.queryKey, saved);
      // Keeps the changes that the user made while this was being saved.
      setChanged((now) => (same({ ...sent, ...now }, sent) ? {} : now));
      showNotice(t('form.savedAll'));
      // The header and the colors of the page follow. The button does not wait for them.
      void invalidate(meQuery.queryKey);
    },
  });
  const isChanged = !same(body, bodyOf(school));
  useLeaveQuestion(isChanged);
  const part: Part = {
    body,
    change: (some) => setChanged((before) => ({ ...before, ...some })),
    faultOf: (pointer) => faultAt(save.error, pointer),
  };
  return (
    <Form className="grid gap-4" onSubmit={() => save.mutate(body)}>
      <LookCard {...part} />
      <QuietCard {...part} />
      <HolidaysCard {...part} />
      <ChannelsCard {...part} school={school} />
      <SubmitBar
        error={isChanged && (faultsIn(save.error).length > 0 ? t('problem.validation_failed') : save.error)}
        busy={save.isPending}
        disabled={!isChanged}
        more={
          isChanged && isStale(save.error) && <Button onClick={() => setChanged({})}>{t('editor.takeTheirs')}</Button>
        }
      >
        {t('form.save')}
      </SubmitBar>
    </Form>
  );
}

/** Addresses of the public calendar for the school's website, to copy. */
function WebsiteCard({ school }: { school: string }) {
  const { origin } = window.location;
  const id = encodeURIComponent(school);
  const addresses = [
    ['page', `${origin}/public/${id}`],
    ['embed', `<script src="${origin}/embed.js" data-school="${school.replaceAll('"', '&quot;')}" async></script>`],
    ['rss', `${origin}/api/v1/public/schools/${id}/events.rss`],
  ] as const;
  return (
    <Section title={t('school.website')} text={t('school.website.text')} spaced>
      {addresses.map(([name, value]) => (
        <TextField key={name} readOnly label={t(`school.website.${name}`)} value={value} />
      ))}
    </Section>
  );
}
