import { useMutation } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { faultAt, faultsIn } from '../api/problem.ts';
import { Button } from '../parts/button.tsx';
import { copyText } from '../parts/copy-text.ts';
import { ConfirmDialog, Dialog } from '../parts/dialog.tsx';
import { Checkboxes } from '../parts/forms/checkbox.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Failure } from '../parts/page.tsx';
import { t, word } from '../texts/texts.ts';
import {
  addWebhook,
  changeWebhook,
  reloadWebhooks,
  typesOf,
  type Webhook,
  type WebhookBody,
  type WebhookType,
} from './webhook-data.ts';

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
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [types, setTypes] = useState(webhook?.types ?? USUAL);
  const save = useMutation({
    mutationFn: async (body: WebhookBody) => {
      if (!webhook) return addWebhook(body);
      await changeWebhook(webhook.id, body);
      return null;
    },
    meta: { showsError: true },
    onSuccess: async (added) => {
      await reloadWebhooks();
      if (added) return onAdded(added);
      showNotice(t('form.savedAll'));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t(webhook ? 'school.webhooks.edit.title' : 'school.webhooks.add')}
      confirm={t(webhook ? 'form.save' : 'school.webhooks.add')}
      busy={save.isPending}
      onConfirm={() => save.mutate({ url: url.trim(), description: description.trim() || null, types })}
      onClose={onClose}
    >
      <TextField
        type="url"
        label={t('school.webhooks.url')}
        hint={t('school.webhooks.url.hint')}
        value={url}
        onChange={setUrl}
        fault={faultAt(save.error, '/url')}
      />
      <TextField
        label={t('school.webhooks.description')}
        value={description}
        onChange={setDescription}
        fault={faultAt(save.error, '/description')}
        maxLength={200}
      />
      {(['events', 'registrations'] as const).map((group) => (
        <fieldset key={group}>
          <legend className="font-medium">{t(group === 'events' ? 'nav.events' : 'nav.registrations')}</legend>
          <div className="grid sm:grid-cols-2">
            <Checkboxes
              options={typesOf(group).map((value) => ({ value, label: word('fact', value) }))}
              chosen={types}
              onChange={setTypes}
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
