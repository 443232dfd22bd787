import './texts.ts';
import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { ApiError, errorText } from '../api/problem.ts';
import { optionsQuery } from '../api/queries.ts';
import type { Options } from '../api/types.ts';
import { announce } from '../parts/notices.tsx';
import { sizeText } from '../texts/size-text.ts';
import { t } from '../texts/texts.ts';
import { type FileUse, type UploadedFile, uploadFile } from './upload.ts';

type Props = { label: string; use: FileUse; onUploaded: (file: UploadedFile) => void };

/** A field that uploads files at once: chosen, or dropped on it. Attachments may be several. */
export function FileDrop({ label, use, onUploaded }: Props) {
  const id = useId();
  const { data: options } = useQuery(optionsQuery);
  const [running, setRunning] = useState<{ name: string; share: number } | null>(null);
  const [faults, setFaults] = useState<readonly string[]>([]);
  const [isOver, setOver] = useState(false);
  // The form may have changed while a file was on its way.
  const latest = useRef(onUploaded);
  latest.current = onUploaded;
  if (!options) return null;
  const { uploads } = options;
  const endings = uploads.endings[use];

  const send = async (files: readonly File[]) => {
    setFaults([]);
    for (const file of use === 'attachment' ? files : files.slice(0, 1)) {
      const { name } = file;
      setRunning({ name, share: 0 });
      try {
        if (file.size > uploads.max_bytes) throw new ApiError(413, { code: 'too_large' });
        latest.current(await uploadFile(file, use, (share) => setRunning({ name, share })));
        announce(t('upload.done', { name }));
      } catch (error) {
        setFaults((before) => [...before, `${name}: ${faultText(error, uploads)}`]);
      }
    }
    setRunning(null);
  };
  return (
    <div className="grid gap-1.5">
      <label
        htmlFor={id}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          if (!running) void send([...event.dataTransfer.files]);
        }}
        className="flex min-h-14 cursor-pointer items-center gap-3 rounded-xl border border-dashed border-edge px-4 py-2.5 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent data-over:border-accent data-over:bg-accent-soft"
      >
        <Upload size={20} aria-hidden className="shrink-0 text-soft" />
        <span className="min-w-0">
          <span className="block font-medium">{label}</span>
          <span id={`${id}-hint`} className="block text-sm text-soft">
            {t('upload.types', { endings: endings.join(', '), size: sizeText(uploads.max_bytes) })}
          </span>
        </span>
        <input
          id={id}
          type="file"
          aria-label={label}
          aria-describedby={`${id}-hint ${id}-faults`}
          aria-invalid={faults.length > 0 || undefined}
          multiple={use === 'attachment'}
          disabled={running !== null}
          accept={endings.map((ending) => `.${ending}`).join(',')}
          onChange={({ target }) => {
            void send([...(target.files ?? [])]);
            // The same file may be chosen again.
            target.value = '';
          }}
          className="sr-only"
        />
      </label>
      {running && (
        <div className="grid gap-1 text-sm text-soft">
          {t('upload.running', { name: running.name })}
          <progress
            aria-label={t('upload.running', { name: running.name })}
            value={running.share}
            className="h-1.5 w-full accent-(--color-accent)"
          />
        </div>
      )}
      <div id={`${id}-faults`} role="alert" className="empty:hidden">
        {faults.map((fault) => (
          <p key={fault} className="text-sm font-medium text-bad wrap-anywhere">
            {fault}
          </p>
        ))}
      </div>
    </div>
  );
}

function faultText(error: unknown, { max_bytes }: Options['uploads']): string {
  const code = error instanceof ApiError ? error.code : null;
  if (code === 'too_large') return t('upload.tooLarge', { size: sizeText(max_bytes) });
  if (code === 'unsupported_media_type') return t('upload.type');
  return errorText(error);
}
