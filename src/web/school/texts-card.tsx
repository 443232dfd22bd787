import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { faultsIn, faultText } from '../api/problem.ts';
import { Button } from '../parts/button.tsx';
import { Choice } from '../parts/forms/choice.tsx';
import { Select } from '../parts/forms/field.tsx';
import { useFormMutation } from '../parts/forms/form.tsx';
import { partsOf } from '../parts/forms/parts-of.ts';
import { showNotice } from '../parts/notices.tsx';
import { Failure, Loaded, Section } from '../parts/page.tsx';
import { LANGUAGE_OPTIONS } from '../texts/languages.ts';
import { t, wordOptions } from '../texts/texts.ts';
import { type School, type TextPreview, textQuery } from './data.ts';

const PREVIEWED = ['email', 'sms', 'push', 'in_app'] as const;
type Previewed = (typeof PREVIEWED)[number];
type Shown = Pick<TextPreview, 'trigger' | 'locale'> & { channel: Previewed };

/** The text of each message with sample values, on each channel as a person would get it. */
export function TextsCard({ school }: { school: School }) {
  const channels = PREVIEWED.filter((channel) => school.available_channels.includes(channel));
  const [shown, setShown] = useState<Shown>({
    trigger: 'event.published',
    locale: school.locale,
    channel: channels[0] ?? 'in_app',
  });
  const part = partsOf('', shown, (more) => setShown({ ...shown, ...more }));
  const preview = useQuery(textQuery(school, shown.trigger, shown.locale));
  return (
    <Section title={t('school.texts')} text={t('school.texts.text')} spaced>
      <div className="grid gap-4 sm:grid-cols-2">
        <Select label={t('message.what')} options={wordOptions('trigger', school.texts)} {...part('trigger')} />
        <Select label={t('school.texts.language')} options={LANGUAGE_OPTIONS} {...part('locale')} />
      </div>
      <Choice label={t('message.channel')} options={wordOptions('channel', channels)} {...part('channel')} />
      <Loaded query={preview}>
        {(text) => (
          <>
            <div lang={text.locale}>
              <Preview text={text} channel={shown.channel} />
            </div>
            <TestButton {...shown} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Sends the shown text to the user's own address. */
function TestButton({ trigger, channel, locale }: Shown) {
  const send = useFormMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/api/v1/operations/school/texts/{trigger}/test', {
          params: { path: { trigger } },
          body: { channel, locale },
        }),
      ),
    onSuccess: () => showNotice(t('school.texts.tested')),
  });
  const [fault] = faultsIn(send.error);
  return (
    <div className="mt-3 grid justify-items-start gap-2">
      <Button busy={send.isPending} onClick={() => send.mutate()} icon={Send}>
        {t('school.texts.test')}
      </Button>
      <Failure error={fault ? faultText('channel', fault.rule) : send.error} />
    </div>
  );
}

function Preview({ text, channel }: { text: TextPreview; channel: Previewed }) {
  if (channel === 'email') {
    const { from, subject, html_url } = text.email;
    return (
      <div className="overflow-hidden rounded-lg border border-line">
        <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 border-b border-line bg-hover p-3">
          <Line label={t('message.from')}>{`${from.name} <${from.address}>`}</Line>
          <Line label={t('message.subject')}>{subject}</Line>
        </dl>
        {/* The policy of this page forbids the styles of an email; the framed page has a policy of its own. */}
        <iframe
          sandbox=""
          src={html_url}
          title={t('school.texts.email')}
          className="h-128 w-full bg-white [color-scheme:light]"
        />
      </div>
    );
  }
  if (channel === 'sms')
    return (
      <Bubble>
        <p>{text.sms.text}</p>
        <p lang={document.documentElement.lang} className="mt-1 text-sm text-soft">
          {t('school.texts.segments', { count: text.sms.segments })}
        </p>
      </Bubble>
    );
  return (
    <Bubble>
      <p className="font-medium">{text[channel].title}</p>
      <p className="whitespace-pre-line">{text[channel].body}</p>
    </Bubble>
  );
}

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt lang={document.documentElement.lang} className="text-soft">
      {label}
    </dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </>
);

const Bubble = ({ children }: { children: ReactNode }) => (
  <div className="max-w-[60ch] rounded-lg border border-line bg-hover p-3 break-words">{children}</div>
);
