import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';

export type Choice = {
  label: string;
  icon?: ReactNode;
  /** under the label, and why it can't be chosen */
  hint?: string | undefined;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
};

export type MenuProps = { trigger: ReactNode; choices: readonly Choice[]; label?: string };

/** A menu behind a button. What can't be chosen says why, and can still be reached and read. */
export default function MenuList({ trigger, choices, label }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          {...(label ? { 'aria-label': label } : {})}
          className="z-50 max-h-[70dvh] max-w-[min(20rem,calc(100vw-1rem))] min-w-48 overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-float"
        >
          {choices.map(({ label: text, icon, hint, danger, disabled, onSelect }) => (
            <DropdownMenu.Item
              key={text}
              aria-disabled={disabled || undefined}
              onSelect={(event) => (disabled ? event.preventDefault() : onSelect())}
              className={`flex min-h-9 cursor-default items-start gap-2.5 rounded-lg px-2.5 py-1.5 outline-none data-highlighted:bg-hover ${danger && !disabled ? 'text-bad' : ''}`}
            >
              <span className={`mt-0.5 shrink-0 ${disabled ? 'opacity-50' : ''}`}>{icon}</span>
              <span className="min-w-0">
                <span className={disabled ? 'text-soft' : ''}>{text}</span>
                {hint && <span className="block text-xs leading-snug text-soft">{hint}</span>}
              </span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
