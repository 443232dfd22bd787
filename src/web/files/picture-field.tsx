import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { optionsQuery } from '../api/queries.ts';
import { RemoveButton } from '../parts/forms/list-parts.tsx';
import { FileDrop } from './file-drop.tsx';
import type { UploadedFile } from './upload.ts';

/** Whether an address is that of an uploaded file. */
export function useIsUploaded(): (url: string) => boolean {
  const { data: options } = useQuery(optionsQuery);
  return (url) => options !== undefined && new RegExp(options.uploads.address).test(url);
}

type Props = {
  label: string;
  use: 'banner' | 'logo';
  url: string;
  /** what the picture shows */
  alt: string;
  onChange: (url: string) => void;
  /** classes of the picture */
  className: string;
  /** a field for an address elsewhere; not shown for an uploaded picture */
  children: ReactNode;
};

/** A picture with its preview: uploaded, or at an address elsewhere. */
export function PictureField({ label, use, url, alt, onChange, className, children }: Props) {
  const isUploaded = useIsUploaded();
  return (
    <div className="grid gap-2">
      {/^https?:\/\/./.test(url) && (
        <div className="flex flex-wrap items-center gap-3">
          <img
            key={url}
            src={url}
            alt={alt}
            onError={({ currentTarget }) => currentTarget.remove()}
            className={className}
          />
          <RemoveButton what={alt} onClick={() => onChange('')} />
        </div>
      )}
      <FileDrop label={label} use={use} onUploaded={(file: UploadedFile) => onChange(file.url)} />
      {!isUploaded(url) && children}
    </div>
  );
}
