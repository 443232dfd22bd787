import './texts.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Plus, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { SavedText } from '../api/types.ts';
import { savedTextsQuery } from '../message-parts/saved-texts.tsx';
import { BackLink } from '../parts/back-link.tsx';
import { Button } from '../parts/button.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Empty } from '../parts/empty.tsx';
import { TextField } from '../parts/field.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { showNotice } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import { missingIn, NOTHING, TranslatedText, trimmed, type Written } from './translated-text.tsx';

const PATH = '/api/v1/operations/saved-texts';

type Draft = Written & { id: string | null; name: string };

/** The texts that the school keeps to send again. */
function SavedTextsPage() {
  const texts = useQuery(savedTextsQuery);
  const [edited, setEdited] = useState<Draft | null>(null);
  const [removed, setRemoved] = useState<SavedText | null>(null);
  return (
    <Page title={t('schoolMessage.saved')}>
      <BackLink to="/messages" label={t('nav.messages')} />
      <header className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold">{t('schoolMessage.saved')}</h1>
        <Button look="main" onClick={() => setEdited({ ...NOTHING, id: null, name: '' })}>
          <Plus size={17} aria-hidden />
          {t('saved.new')}
        </Button>
      </header>
      <Loaded query={texts} label={t('schoolMessage.waiting')} lines={6}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty icon={<ScrollText size={28} aria-hidden />} title={t('saved.none')}>
              <p>{t('saved.noneText')}</p>
            </Empty>
          ) : (
            <ul className="rounded-card border border-line bg-card">
              {rows.map((text) => (
                <li
                  key={text.id}
                  className="flex flex-wrap items-start justify-between gap-3 border-t border-line px-4 py-3 first:border-t-0"
                >
                  <div className="min-w-0 basis-60 grow">
                    <h2 className="font-medium break-words">{text.name}</h2>
                    <p className="text-sm break-words text-soft">{text.subject}</p>
                  </div>
                  <div className="flex gap-2">
                    <Button aria-label={`${t('saved.edit')}: ${text.name}`} onClick={() => setEdited(text)}>
                      {t('saved.edit')}
                    </Button>
                    <Button
                      look="danger"
                      aria-label={`${t('saved.delete')}: ${text.name}`}
                      onClick={() => setRemoved(text)}
                    >
                      {t('saved.delete')}
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {edited && <EditDialog text={edited} onClose={() => setEdited(null)} />}
      {removed && <RemoveDialog text={removed} onClose={() => setRemoved(null)} />}
    </Page>
  );
}

const done = async (text: string, onClose: () => void) => {
  await queryClient.invalidateQueries(savedTextsQuery);
  showNotice(text);
  onClose();
};

function EditDialog({ text, onClose }: { text: Draft; onClose: () => void }) {
  const [draft, setDraft] = useState(text);
  const [wasSubmitted, setSubmitted] = useState(false);
  const { id, name } = draft;
  const save = useMutation({
    mutationFn: () => {
      const body = { name: name.trim(), ...trimmed(draft) };
      return id === null
        ? unwrap(api.POST(PATH, { body }))
        : unwrap(api.PUT(`${PATH}/{text_id}`, { params: { path: { text_id: id } }, body }));
    },
    onSuccess: () => done(t('saved.done'), onClose),
  });
  const missing = missingIn(draft);
  return (
    <ConfirmDialog
      title={t(id === null ? 'saved.new' : 'saved.edit')}
      confirm={t('form.save')}
      busy={save.isPending}
      onClose={onClose}
      onConfirm={() => {
        setSubmitted(true);
        if (name.trim() !== '' && missing.length === 0) save.mutate();
      }}
    >
      <TextField
        label={t('saved.name')}
        hint={t('saved.nameHint')}
        fault={wasSubmitted && name.trim() === '' ? t('saved.enterName') : undefined}
        maxLength={100}
        value={name}
        onChange={(changed) => setDraft({ ...draft, name: changed })}
      />
      <TranslatedText
        written={draft}
        faults={wasSubmitted ? missing : []}
        onChange={(written) => setDraft({ ...draft, ...written })}
      />
    </ConfirmDialog>
  );
}

function RemoveDialog({ text: { id, name }, onClose }: { text: SavedText; onClose: () => void }) {
  const remove = useMutation({
    mutationFn: () => unwrap(api.DELETE(`${PATH}/{text_id}`, { params: { path: { text_id: id } } })),
    onSuccess: () => done(t('saved.deleted'), onClose),
  });
  return (
    <ConfirmDialog
      title={`${t('saved.delete')}: ${name}`}
      confirm={t('saved.delete')}
      look="danger"
      busy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate()}
    >
      <p>{t('saved.deleteText')}</p>
    </ConfirmDialog>
  );
}

export const Route = createLazyRoute('/signed-in/messages/texts')({ component: SavedTextsPage });
