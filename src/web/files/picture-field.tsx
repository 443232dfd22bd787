import type { ComponentProps } from 'react';
import { useEventOptions } from '../api/queries.ts';
import { TextField } from '../parts/forms/field.tsx';
import { RemoveButton } from '../parts/forms/list-parts.tsx';
import { FileDrop } from './file-drop.tsx';

/** Whether an address is that of an uploaded file. */
export function useIsUploaded(): (url: string) => boolean {
  const options = useEventOptions();
  return (url) => options !== undefined && new RegExp(options.uploads.address).test(url);
}

type Props = Pick<ComponentProps<typeof TextField>, 'value' | 'name' | 'hint' | 'fault'> & {
  /** label of the field for a file */
  upload: string;
  use: 'banner' | 'logo';
  /** what the picture shows */
  label: string;
  /** classes of the picture */
  className: string;
  onChange: (url: string) => void;
  /** label of the field for an address elsewhere, which is not shown for an uploaded picture */
  link: string;
};

/** A picture with its preview: uploaded, or at an address elsewhere. */
export function PictureField({ upload, use, label, link, className, ...field }: Props) {
  const { value: url, onChange } = field;
  const isUploaded = useIsUploaded();
  return (
    <div className="grid gap-2">
      {/^https?:\/\/./.test(url) && (
        <div className="flex flex-wrap items-center gap-3">
          <img
            key={url}
            src={url}
            alt={label}
            // Not removed, since React removes it itself once the address changes.
            onError={({ currentTarget }) => {
              currentTarget.hidden = true;
            }}
            className={className}
          />
          <RemoveButton what={label} onClick={() => onChange('')} />
        </div>
      )}
      <FileDrop label={upload} use={use} onUploaded={(file) => onChange(file.url)} />
      {!isUploaded(url) && <TextField type="url" autoComplete="off" label={link} {...field} />}
    </div>
  );
}
