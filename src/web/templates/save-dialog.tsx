import './texts.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Failure } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import { templatesQuery } from './queries.ts';

/** Saves an event as a template under a name. */
export default function SaveTemplateDialog({
  event: { id, title },
  onClose,
}: {
  event: SchoolEvent;
  onClose: () => void;
}) {
  const [name, setName] = useState(title);
  const save = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/v1/operations/events/{id}/template', { params: { path: { id } }, body: { name } })),
    meta: { showsError: true },
    onSuccess: () => {
      onClose();
      showNotice(t('templates.saved'));
      return queryClient.invalidateQueries(templatesQuery);
    },
  });
  return (
    <ConfirmDialog
      title={t('templates.save')}
      confirm={t('templates.save')}
      busy={save.isPending}
      disabled={name.trim() === ''}
      onClose={onClose}
      onConfirm={() => save.mutate()}
    >
      <TextField
        label={t('templates.name')}
        hint={t('templates.save.hint')}
        maxLength={200}
        value={name}
        onChange={setName}
      />
      <Failure error={save.error} />
    </ConfirmDialog>
  );
}
