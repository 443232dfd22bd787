import { Ellipsis, type LucideIcon } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { IconButton } from './button.tsx';
import { Popover } from './popover.tsx';

export type MenuItem = {
  label: string;
  icon?: LucideIcon;
  /** shown under the label, for example why the item is disabled */
  hint?: string;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
};

type Props = {
  label: string;
  items: readonly MenuItem[];
  /** the button; otherwise three dots */
  trigger?: Parameters<typeof Popover>[0]['trigger'];
};

/** A menu button. Disabled items stay focusable, so that the reason can be read. */
export const Menu = ({ label, items, trigger }: Props) => (
  <Popover
    trigger={trigger ?? <IconButton label={label} icon={Ellipsis} />}
    label={label}
    role="menu"
    align="end"
    className="w-max min-w-48 rounded-xl p-1"
    onKeyDown={moveFocus}
  >
    {(close) => (
      <div role="presentation" className="max-w-80">
        {items.map(({ label: text, icon: Picture, hint, danger, disabled, onSelect }) => (
          <button
            key={text}
            type="button"
            role="menuitem"
            tabIndex={-1}
            aria-disabled={disabled || undefined}
            onPointerMove={({ currentTarget }) => currentTarget.focus({ preventScroll: true })}
            onClick={() => {
              if (disabled) return;
              close();
              onSelect();
            }}
            className={`flex min-h-9 w-full cursor-default! items-start gap-2.5 rounded-lg px-2.5 py-1.5 max-sm:py-3 text-left outline-none focus:bg-hover ${danger && !disabled ? 'text-bad' : ''}`}
          >
            {Picture && <Picture size={16} className={`mt-0.5 shrink-0 ${disabled ? 'opacity-50' : ''}`} />}
            <span className="min-w-0">
              <span className={disabled ? 'text-soft' : ''}>{text}</span>
              {hint && <span className="block text-xs leading-snug text-soft">{hint}</span>}
            </span>
          </button>
        ))}
      </div>
    )}
  </Popover>
);

/** Keyboard of the ARIA menu pattern: arrows wrap, Home and End, a letter jumps to the next match, Tab closes. */
function moveFocus(event: KeyboardEvent<HTMLElement>, panel: HTMLElement): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (key === 'Tab') panel.hidePopover();
  if (ctrlKey || metaKey || altKey) return;
  const items = [...panel.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const after = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  const letter = key.length === 1 ? key.toLocaleLowerCase() : null;
  const next: Record<string, HTMLElement | undefined> = {
    ArrowDown: after[0],
    ArrowUp: items.at(at <= 0 ? -1 : at - 1),
    Home: items[0],
    End: items.at(-1),
  };
  const to =
    key in next
      ? next[key]
      : letter && /\S/.test(letter)
        ? after.find((item) => item.textContent.trim().toLocaleLowerCase().startsWith(letter))
        : undefined;
  if (!to) return;
  event.preventDefault();
  to.focus();
}
