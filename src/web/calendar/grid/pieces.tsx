import type { Piece } from '../placing.ts';
import { EntryLink } from './entry-link.tsx';

/** Height of a row, in pixels. */
export const LINE = 26;

type Props = { pieces: readonly Piece[]; day: string; top: number; margin: number; tabIndex?: number };

/** The entries that begin on a day, each in its row and over all its days. */
export const Pieces = ({ pieces, day, top, margin, tabIndex }: Props) =>
  pieces
    .filter((piece) => piece.day === day)
    .map(({ placed, row, length }) => (
      <div
        key={placed.entry.id}
        // Above the following days: those of other months have a background.
        className="absolute z-1"
        style={{
          top: top + row * LINE,
          left: margin,
          width: `calc(${length * 100}% + ${length - 1 - 2 * margin}px)`,
        }}
      >
        <EntryLink placed={placed} day={day} tabIndex={tabIndex} />
      </div>
    ));
