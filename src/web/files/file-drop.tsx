import { useRef, useState } from 'react';
import { reportNoResponse } from '../api/connection.ts';
import { ApiError, errorText } from '../api/problem.ts';
import { useEventOptions } from '../api/queries.ts';
import type { Options, QueryOf, ResponseOf } from '../api/types.ts';
import { FileField } from '../parts/forms/file-field.tsx';
import { announce } from '../parts/notices.tsx';
import { currentSession, expireSession } from '../session/session.ts';
import { sizeText, t } from '../texts/texts.ts';

type Props = { label: string; use: FileUse; onUploaded: (file: UploadedFile) => void };

/** A field that uploads files at once: chosen, or dropped on it. Attachments may be several. */
export function FileDrop({ label, use, onUploaded }: Props) {
  const options = useEventOptions();
  const [running, setRunning] = useState<{ name: string; share: number } | null>(null);
  const [faults, setFaults] = useState<readonly string[]>([]);
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
        const uploaded = await uploadFile(file, use, (share) => setRunning({ name, share }));
        latest.current(uploaded);
        announce(t('upload.done', { name }));
      } catch (error) {
        setFaults((before) => [...before, `${name}: ${uploadFaultText(error, uploads)}`]);
      }
    }
    setRunning(null);
  };
  return (
    <div className="grid gap-1.5">
      <FileField
        label={label}
        hint={t('upload.types', { endings: endings.join(', '), size: sizeText(uploads.max_bytes) })}
        accept={endings.map((ending) => `.${ending}`).join(',')}
        multiple={use === 'attachment'}
        disabled={running !== null}
        faults={faults}
        onFiles={(files) => void send(files)}
      />
      {running && (
        <label className="grid gap-1 text-sm text-soft">
          {t('upload.running', running)}
          <progress value={running.share} className="h-1.5 w-full accent-(--color-accent)" />
        </label>
      )}
    </div>
  );
}

function uploadFaultText(error: unknown, { max_bytes }: Options['uploads']): string {
  const code = error instanceof ApiError ? error.code : null;
  if (code === 'too_large') return t('upload.tooLarge', { size: sizeText(max_bytes) });
  if (code === 'unsupported_media_type') return t('upload.type');
  return errorText(error);
}

type UploadedFile = ResponseOf<'/api/v1/operations/files', 'post', 201>;
type FileUse = NonNullable<QueryOf<'/api/v1/operations/files', 'post'>['use']>;

/**
 * Uploads a file; not by `fetch`, which reports no progress.
 * @param onProgress gets the share that has been sent, from 0 to 1
 * @throws ApiError, DOMException if the file is empty or can't be read
 */
async function uploadFile(file: File, use: FileUse, onProgress: (share: number) => void): Promise<UploadedFile> {
  // Sent itself, a folder or a file that has gone fails as if there were no connection.
  const bytes = await file.arrayBuffer();
  if (!bytes.byteLength) throw new DOMException();
  const { token = '' } = currentSession() ?? {};
  const request = new XMLHttpRequest();
  request.open('POST', `/api/v1/operations/files?${new URLSearchParams({ name: file.name, use })}`);
  request.setRequestHeader('authorization', `Bearer ${token}`);
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.responseType = 'json';
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => {
      if (request.status === 201) return resolve(request.response);
      if (request.status === 401) expireSession(token);
      reject(new ApiError(request.status, request.response ?? {}));
    };
    request.onerror = () => {
      reportNoResponse();
      reject(new ApiError(0, {}));
    };
    request.send(bytes);
  });
}
