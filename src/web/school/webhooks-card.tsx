import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { AskDialog } from '../parts/ask.tsx';
import { Button } from '../parts/button.tsx';
import { useFormMutation } from '../parts/forms/form.tsx';
import { Menu } from '../parts/menu.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Failure, List, Section } from '../parts/page.tsx';
import { momentIn } from '../texts/dates.ts';
import { t, word } from '../texts/texts.ts';
import {
  attemptsQuery,
  changeWebhook,
  reloadWebhooks,
  removeWebhook,
  replay,
  rotateSecret,
  type Webhook,
  type WebhookAttempt,
  webhooksQuery,
} from './webhook-data.ts';
import { SecretDialog, WebhookDialog } from './webhook-dialogs.tsx';

type Shown =
  | { dialog: 'edit'; webhook: Webhook | null }
  | { dialog: 'remove' | 'rotate'; webhook: Webhook }
  | { dialog: 'secret'; secret: string };

/** Addresses that are sent the changes of events and registrations. Saved one by one, apart from the settings. */
export function WebhooksCard() {
  const webhooks = useQuery(webhooksQuery);
  const [shown, setShown] = useState<Shown | null>(null);
  const close = () => setShown(null);
  const showSecret = ({ secret }: { secret: string }) => setShown({ dialog: 'secret', secret });
  return (
    <Section title={t('school.webhooks')} text={t('school.webhooks.text')}>
      <List query={webhooks} none={null} className="mb-4 grid gap-4">
        {(webhook) => <Item key={webhook.id} webhook={webhook} show={(dialog) => setShown({ dialog, webhook })} />}
      </List>
      <Button icon={Plus} onClick={() => setShown({ dialog: 'edit', webhook: null })}>
        {t('school.webhooks.add')}
      </Button>
      {shown?.dialog === 'edit' && <WebhookDialog webhook={shown.webhook} onClose={close} onAdded={showSecret} />}
      {shown?.dialog === 'secret' && <SecretDialog secret={shown.secret} onClose={close} />}
      {shown?.dialog === 'rotate' && (
        <AskDialog
          title={t('school.webhooks.rotate.title')}
          confirm={t('school.webhooks.rotate')}
          run={() => rotateSecret(shown.webhook.id)}
          onDone={showSecret}
          onClose={close}
        >
          <p>{t('school.webhooks.rotate.text')}</p>
        </AskDialog>
      )}
      {shown?.dialog === 'remove' && (
        <AskDialog
          title={t('school.webhooks.remove.title')}
          confirm={t('school.remove')}
          look="danger"
          run={() => removeWebhook(shown.webhook.id)}
          onClose={close}
        >
          <p className="wrap-anywhere">{t('school.webhooks.remove.text', { url: shown.webhook.url })}</p>
        </AskDialog>
      )}
    </Section>
  );
}

function Item({ webhook, show }: { webhook: Webhook; show: (dialog: 'edit' | 'rotate' | 'remove') => void }) {
  const [isOpen, setOpen] = useState(false);
  const { id, url, description, enabled } = webhook;
  const turn = useMutation({
    mutationFn: () => changeWebhook(id, { enabled: !enabled }),
    onSuccess: () => showNotice(t(enabled ? 'school.webhooks.turnedOff' : 'school.webhooks.turnedOn')),
    onSettled: reloadWebhooks,
  });
  const items = [
    { label: t('action.edit'), onSelect: () => show('edit') },
    { label: t(enabled ? 'school.webhooks.turnOff' : 'school.webhooks.turnOn'), onSelect: () => turn.mutate() },
    { label: t('school.webhooks.rotate'), onSelect: () => show('rotate') },
    { label: t('school.remove'), danger: true, onSelect: () => show('remove') },
  ];
  return (
    <li className="grid gap-2">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{description ?? url}</p>
          {description && <p className="text-sm wrap-anywhere text-soft">{url}</p>}
          <State webhook={webhook} />
        </div>
        <Menu label={t('school.webhooks.more', { url })} items={items} />
      </div>
      <Button
        className="justify-self-start"
        of={description ?? url}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t('school.webhooks.attempts')}
      </Button>
      {isOpen && <WebhookAttempts webhook={webhook} />}
    </li>
  );
}

function State({ webhook: { enabled, disabled_reason, disabled_at, failing_since, types } }: { webhook: Webhook }) {
  const isBad = disabled_reason !== null || failing_since !== null;
  const state = disabled_reason
    ? word('school.webhooks.disabled', disabled_reason)
    : !enabled
      ? t('school.webhooks.off')
      : failing_since
        ? t('school.webhooks.failing', { when: momentIn(failing_since) })
        : t('school.webhooks.on', { count: types.length });
  return (
    <p className={`text-sm ${isBad ? 'text-warn' : 'text-soft'}`}>
      {state}
      {disabled_at && ` ${t('school.webhooks.since', { when: momentIn(disabled_at) })}`}
    </p>
  );
}

/** The latest messages to a webhook, and what its receiver responded. */
function WebhookAttempts({ webhook }: { webhook: Webhook }) {
  const attempts = useQuery(attemptsQuery(webhook.id));
  const again = useFormMutation({
    mutationFn: (id: string) => replay(webhook.id, id),
    onSuccess: () => showNotice(t('school.webhooks.replayed')),
    onSettled: reloadWebhooks,
  });
  return (
    <>
      <List query={attempts} none={t('school.webhooks.attempts.none')}>
        {(attempt) => (
          <li key={attempt.id} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 p-3">
            <div className="min-w-0">
              <p className="font-medium">{word('fact', attempt.type)}</p>
              <p className="text-sm text-soft">{momentIn(attempt.created_at)}</p>
              <p className={`text-sm ${attempt.status === 'failed' ? 'text-bad' : 'text-soft'}`}>
                {resultOf(attempt, webhook)}
              </p>
            </div>
            {webhook.enabled && (attempt.status !== 'pending' || attempt.tries.length > 0) && (
              <Button
                busy={again.isPending && again.variables === attempt.id}
                icon={RotateCcw}
                of={word('fact', attempt.type)}
                onClick={() => again.mutate(attempt.id)}
              >
                {t('school.webhooks.replay')}
              </Button>
            )}
          </li>
        )}
      </List>
      <Failure error={again.error} />
    </>
  );
}

/** The result of a message, the last response, and when it is sent again: never while the webhook is off. */
function resultOf({ status, tries, next_try_at }: WebhookAttempt, { enabled }: Webhook): string {
  const last = tries.at(-1);
  const response = last?.status_code
    ? t('school.webhooks.answered', { code: last.status_code })
    : last?.problem && word('school.webhooks.problem', last.problem);
  const next = enabled && last && next_try_at && t('school.webhooks.nextTry', { when: momentIn(next_try_at) });
  const result = status === 'pending' && !enabled ? 'skipped' : status;
  return [word('school.webhooks.status', result), response, next].filter(Boolean).join(' · ');
}
