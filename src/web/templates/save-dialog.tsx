import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { invalidate } from '../api/queries.ts';
import type { SchoolEvent } from '../api/types.ts';
import { AskDialog } from '../parts/ask.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { showNotice } from '../parts/notices.tsx';
import { t } from '../texts/texts.ts';
import { templatesQuery } from './queries.ts';

type Props = { event: SchoolEvent; onClose: () => void };

/** Saves an event as a template under a name. */
export default function SaveTemplateDialog({ event: { id, title }, onClose }: Props) {
  const [name, setName] = useState(title);
  return (
    <AskDialog
      title={t('action.template')}
      confirm={t('action.template')}
      disabled={name.trim() === ''}
      run={() =>
        unwrap(api.POST('/api/v1/operations/events/{id}/template', { params: { path: { id } }, body: { name } }))
      }
      onDone={() => {
        showNotice(t('templates.saved'));
        return invalidate(templatesQuery.queryKey);
      }}
      onClose={onClose}
    >
      <TextField
        label={t('templates.name')}
        hint={t('templates.save.hint')}
        maxLength={200}
        value={name}
        onChange={setName}
      />
    </AskDialog>
  );
}
