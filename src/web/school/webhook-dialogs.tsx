import { Copy } from 'lucide-react';
import { useState } from 'react';
import { faultAt, faultsIn } from '../api/problem.ts';
import { Button } from '../parts/button.tsx';
import { copyText } from '../parts/copy-text.ts';
import { ConfirmDialog, Dialog } from '../parts/dialog.tsx';
import { Checkboxes } from '../parts/forms/checkbox.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { useFormMutation } from '../parts/forms/form.tsx';
import { partsOf } from '../parts/forms/parts-of.ts';
import { showNotice } from '../parts/notices.tsx';
import { Failure } from '../parts/page.tsx';
import { t, word } from '../texts/texts.ts';
import { addWebhook, changeWebhook, reloadWebhooks, typesOf, type Webhook, type WebhookType } from './webhook-data.ts';

/** What the website of a school needs to show its events. */
const USUAL: WebhookType[] = ['event.published', 'event.changed', 'event.cancelled', 'event.postponed'];

type Props = {
  /** null: a new one */
  webhook: Webhook | null;
  onClose: () => void;
  onAdded: (added: { secret: string }) => void;
};

/** The form of a webhook. */
export function WebhookDialog({ webhook, onClose, onAdded }: Props) {
  const { url = '', description, types = USUAL } = webhook ?? {};
  const [draft, setDraft] = useState({ url, description: description ?? '', types });
  const save = useFormMutation({
    mutationFn: async () => {
      const body = { ...draft, url: draft.url.trim(), description: draft.description.trim() || null };
      if (!webhook) return addWebhook(body);
      await changeWebhook(webhook.id, body);
      return null;
    },
    onSuccess: async (added) => {
      await reloadWebhooks();
      if (added) return onAdded(added);
      showNotice(t('form.savedAll'));
      onClose();
    },
  });
  const faultOf = (pointer: string) => faultAt(save.error, pointer);
  const part = partsOf('/', draft, (more) => setDraft({ ...draft, ...more }), faultOf);
  return (
    <ConfirmDialog
      title={t(webhook ? 'school.webhooks.edit.title' : 'school.webhooks.add')}
      confirm={t(webhook ? 'form.save' : 'school.webhooks.add')}
      busy={save.isPending}
      onConfirm={() => save.mutate()}
      onClose={onClose}
    >
      <TextField type="url" label={t('school.webhooks.url')} hint={t('school.webhooks.url.hint')} {...part('url')} />
      <TextField label={t('school.webhooks.description')} maxLength={200} {...part('description')} />
      {(['events', 'registrations'] as const).map((group) => (
        <fieldset key={group}>
          <legend className="font-medium">{t(group === 'events' ? 'nav.events' : 'nav.registrations')}</legend>
          <div className="grid sm:grid-cols-2">
            <Checkboxes
              options={typesOf(group).map((value) => ({ value, label: word('fact', value) }))}
              {...part('types')}
            />
          </div>
        </fieldset>
      ))}
      <Failure error={faultAt(save.error, '/types') ?? (faultsIn(save.error).length === 0 ? save.error : null)} />
    </ConfirmDialog>
  );
}

/** Shows a new secret, which is not shown again. */
export const SecretDialog = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <Dialog
    title={t('school.webhooks.secret')}
    onClose={onClose}
    actions={
      <>
        <Button icon={Copy} onClick={() => void copyText(secret, t('school.webhooks.secret.notCopied'))}>
          {t('school.webhooks.secret.copy')}
        </Button>
        <Button look="main" onClick={onClose}>
          {t('school.webhooks.secret.done')}
        </Button>
      </>
    }
  >
    <TextField
      readOnly
      label={t('school.webhooks.secret.label')}
      hint={t('school.webhooks.secret.hint')}
      value={secret}
    />
  </Dialog>
);
