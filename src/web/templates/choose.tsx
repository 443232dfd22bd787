import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LayoutTemplate, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, unwrap } from '../api/client.ts';
import { invalidate, invalidateEvent } from '../api/queries.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/forms/field.tsx';
import { Form, useFormMutation } from '../parts/forms/form.tsx';
import { Failure } from '../parts/page.tsx';
import { t } from '../texts/texts.ts';
import { templatesQuery } from './queries.ts';

/** A button that creates the event from a template; hidden without templates. @param date the first day to suggest */
export default function ChooseTemplate({ date }: { date: string }) {
  const { data: templates = [] } = useQuery(templatesQuery);
  const [isOpen, setOpen] = useState(false);
  if (templates.length === 0 && !isOpen) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)} icon={LayoutTemplate}>
        {t('templates.use')}
      </Button>
      {isOpen && <TemplatesDialog templates={templates} date={date} onClose={() => setOpen(false)} />}
    </>
  );
}

type Template = { id: string; name: string };
type DialogProps = { templates: readonly Template[]; date: string; onClose: () => void };

function TemplatesDialog({ templates, date, onClose }: DialogProps) {
  const navigate = useNavigate();
  const [start_date, setDate] = useState(date);
  const create = useFormMutation({
    mutationFn: (template_id: string) =>
      unwrap(
        api.POST('/api/v1/operations/event-templates/{template_id}/events', {
          params: { path: { template_id } },
          body: { start_date },
        }),
      ),
    onSuccess: async ({ id }) => {
      await invalidateEvent();
      await navigate({ to: '/events/$id/edit', params: { id } });
    },
  });
  return (
    <Dialog title={t('templates.use')} onClose={onClose}>
      <div className="grid gap-3">
        <TextField type="date" label={t('templates.firstDay')} value={start_date} onChange={setDate} />
        <ul className="grid">
          {templates.map((template) => (
            <TemplateRow
              key={template.id}
              template={template}
              disabled={start_date === '' || create.isPending}
              onUse={() => create.mutate(template.id)}
            />
          ))}
        </ul>
        <Failure error={create.error} />
      </div>
    </Dialog>
  );
}

type RowProps = { template: Template; disabled: boolean; onUse: () => void };

function TemplateRow({ template: { id, name }, disabled, onUse }: RowProps) {
  /** the new name while it is typed; null after that */
  const [typed, setTyped] = useState<string | null>();
  const params = { path: { template_id: id } };
  const path = '/api/v1/operations/event-templates/{template_id}';
  const onSuccess = () => invalidate(templatesQuery.queryKey);
  const rename = useMutation({
    mutationFn: (body: { name: string }) => unwrap(api.PATCH(path, { params, body })),
    onSuccess: async () => {
      await onSuccess();
      setTyped(null);
    },
  });
  const remove = useMutation({ mutationFn: () => unwrap(api.DELETE(path, { params })), onSuccess });
  if (typeof typed === 'string') {
    return (
      <li className="border-t border-line py-2">
        <Form
          onSubmit={() => rename.mutate({ name: typed })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            // Esc would close the dialog too.
            event.preventDefault();
            setTyped(null);
          }}
          className="grid grid-cols-[1fr_auto] items-end gap-2"
        >
          <TextField label={t('templates.name')} maxLength={200} value={typed} onChange={setTyped} autoFocus />
          <Button type="submit" busy={rename.isPending} disabled={typed.trim() === ''}>
            {t('form.save')}
          </Button>
        </Form>
      </li>
    );
  }
  return (
    <li className="flex items-center gap-1 border-t border-line py-1">
      <Button
        look="quiet"
        className="min-w-0 grow justify-start! text-left wrap-anywhere!"
        disabled={disabled}
        onClick={onUse}
      >
        {name}
      </Button>
      <IconButton
        label={t('templates.rename', { name })}
        // The focus returns here from the field of the name.
        autoFocus={typed === null}
        onClick={() => setTyped(name)}
        icon={Pencil}
      />
      <IconButton
        label={t('templates.delete', { name })}
        busy={remove.isPending}
        onClick={() => window.confirm(t('templates.deleteAsk', { name })) && remove.mutate()}
        icon={Trash2}
      />
    </li>
  );
}
