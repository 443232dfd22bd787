import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** Shows the one button that fits the state of a registration in the bar of a phone, below a line of text. */
export const InBar = ({ bar, text, children }: { bar: HTMLElement; text: string; children: ReactNode }) =>
  createPortal(
    <>
      <p className="mb-2 text-sm text-soft">{text}</p>
      {children}
    </>,
    bar,
  );
