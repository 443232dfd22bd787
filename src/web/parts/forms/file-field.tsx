import { Upload } from 'lucide-react';
import { useId, useState } from 'react';

type Props = {
  label: string;
  hint?: string;
  accept: string;
  multiple?: boolean;
  disabled: boolean;
  /** what is wrong with the files */
  faults?: readonly string[];
  onFiles: (files: File[]) => void;
};

/** A field for files: chosen, or dropped on it. */
export function FileField({ label, hint, disabled, faults = [], onFiles, ...input }: Props) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  return (
    <>
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
          if (!disabled) onFiles([...event.dataTransfer.files]);
        }}
        className="flex min-h-14 cursor-pointer items-center gap-3 rounded-xl border border-dashed border-edge px-4 py-2.5 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent data-over:border-accent data-over:bg-accent-soft"
      >
        <Upload size={20} className="shrink-0 text-soft" />
        <span className="min-w-0">
          <span className="block font-medium wrap-anywhere">{label}</span>
          <span id={`${id}-hint`} className="block text-sm text-soft">
            {hint}
          </span>
        </span>
        <input
          {...input}
          id={id}
          type="file"
          aria-label={label}
          aria-describedby={`${id}-hint ${id}-faults`}
          aria-invalid={faults.length > 0 || undefined}
          disabled={disabled}
          onChange={({ target }) => {
            onFiles([...(target.files ?? [])]);
            // The same file may be chosen again.
            target.value = '';
          }}
          className="sr-only"
        />
      </label>
      <div id={`${id}-faults`} role="alert" className="empty:hidden">
        {faults.map((fault) => (
          <p key={fault} className="text-sm font-medium text-bad wrap-anywhere">
            {fault}
          </p>
        ))}
      </div>
    </>
  );
}
