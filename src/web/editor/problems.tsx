import type { Ref } from 'react';
import { t } from '../texts/texts.ts';
import { positionOf } from './draft/draft.ts';
import { type Faults, namedFault } from './draft/faults.ts';

type Props = { faults: Faults; onGo: (field: string) => void; ref: Ref<HTMLElement> };

const inOrder = (faults: Faults) => Object.entries(faults).toSorted(([a], [b]) => positionOf(a) - positionOf(b));

/** All errors of the form, on top of it; each leads to its field, also on another step. */
export const Problems = ({ faults, onGo, ref }: Props) => (
  <section
    ref={ref}
    tabIndex={-1}
    aria-labelledby="problems"
    className="mb-4 rounded-card border-2 border-bad bg-card px-4 py-3"
  >
    <h2 id="problems" className="text-lg font-semibold">
      {t('editor.problems')}
    </h2>
    <ul className="mt-1 grid gap-1">
      {inOrder(faults).map(([field, text]) => (
        <li key={field}>
          <a
            href={`#${field}`}
            onClick={(event) => {
              event.preventDefault();
              onGo(field);
            }}
            className="inline-flex min-h-8 items-center font-medium text-bad underline underline-offset-3"
          >
            {namedFault(field, text)}
          </a>
        </li>
      ))}
    </ul>
  </section>
);
