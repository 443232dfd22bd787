import { useQuery } from '@tanstack/react-query';
import { Plus, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { invalidate } from '../api/queries.ts';
import { AskButton, AskDialog } from '../parts/ask.tsx';
import { BackLink, Button } from '../parts/button.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Empty, List, Page, PageHeader } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import { isIncomplete, NOTHING, savedTextsQuery, TranslatedText, trimmed, type Written } from './translated-text.tsx';

const PATH = '/api/v1/operations/saved-texts';

type Draft = Written & { id: string | null; name: string };

/** The texts that the school keeps to send again. */
export default function SavedTextsPage() {
  const texts = useQuery(savedTextsQuery);
  const [edited, setEdited] = useState<Draft | null>(null);
  return (
    <Page title={t('schoolMessage.saved')} needs="use_saved_texts">
      <BackLink to="/messages">{t('nav.messages')}</BackLink>
      <PageHeader title={t('schoolMessage.saved')}>
        <Button look="main" icon={Plus} onClick={() => setEdited({ ...NOTHING, id: null, name: '' })}>
          {t('saved.new')}
        </Button>
      </PageHeader>
      <List query={texts} none={<Empty icon={ScrollText} title={t('saved.none')} text={t('saved.noneText')} />}>
        {(text) => (
          <li key={text.id} className="flex flex-wrap items-start justify-between gap-3 px-4 py-3">
            <div className="min-w-0 basis-60 grow">
              <h2 className="font-medium break-words">{text.name}</h2>
              <p className="text-sm break-words text-soft">{text.subject}</p>
            </div>
            <div className="flex gap-2">
              <Button of={text.name} onClick={() => setEdited(text)}>
                {t('saved.edit')}
              </Button>
              <AskButton look="danger" label={t('saved.delete')} of={text.name} run={() => remove(text.id)}>
                {t('saved.deleteText')}
              </AskButton>
            </div>
          </li>
        )}
      </List>
      {edited && <EditDialog text={edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

const done = (text: string) => {
  showNotice(text);
  return invalidate(savedTextsQuery.queryKey);
};

function EditDialog({ text, onClose }: { text: Draft; onClose: () => void }) {
  const [draft, setDraft] = useState(text);
  const [wasSubmitted, setSubmitted] = useState(false);
  const { id, name } = draft;
  const save = () => {
    const body = { name: name.trim(), ...trimmed(draft) };
    return id === null
      ? unwrap(api.POST(PATH, { body }))
      : unwrap(api.PUT(`${PATH}/{text_id}`, { params: { path: { text_id: id } }, body }));
  };
  return (
    <AskDialog
      title={t(id === null ? 'saved.new' : 'saved.edit')}
      confirm={t('form.save')}
      check={() => {
        setSubmitted(true);
        return name.trim() !== '' && !isIncomplete(draft);
      }}
      run={save}
      onDone={() => done(t('saved.done'))}
      onClose={onClose}
    >
      <TextField
        label={t('form.name')}
        hint={t('saved.nameHint')}
        fault={wasSubmitted && name.trim() === '' ? t('needed.name') : undefined}
        maxLength={100}
        value={name}
        onChange={(changed) => setDraft({ ...draft, name: changed })}
      />
      <TranslatedText
        written={draft}
        showsFaults={wasSubmitted}
        onChange={(written) => setDraft({ ...draft, ...written })}
      />
    </AskDialog>
  );
}

async function remove(text_id: string): Promise<void> {
  await unwrap(api.DELETE(`${PATH}/{text_id}`, { params: { path: { text_id } } }));
  await done(t('saved.deleted'));
}
