import { Link } from '@tanstack/react-router';
import { Check, TriangleAlert } from 'lucide-react';
import { t } from '../texts/texts.ts';
import { STEP_NAMES, type Step } from './draft/draft.ts';

type Props = { step: Step; faulty: ReadonlySet<Step>; done: ReadonlySet<Step> };

/** Links to the five steps. */
export function Stepper({ step, faulty, done }: Props) {
  const at = STEP_NAMES.indexOf(step);
  return (
    <nav aria-label={t('editor.steps')}>
      <ol className="flex flex-wrap gap-1.5 md:grid md:gap-1">
        {STEP_NAMES.map((name, i) => {
          const isBad = faulty.has(name);
          const isNow = name === step;
          const mark = isBad ? (
            <TriangleAlert size={14} />
          ) : done.has(name) && !isNow ? (
            <Check size={14} />
          ) : (
            <span aria-hidden>{i + 1}</span>
          );
          const look = isBad ? 'bg-warn-soft text-warn' : isNow ? 'bg-accent text-accent-ink' : 'bg-hover text-soft';
          return (
            <li key={name} className="max-md:flex-1">
              <Link
                to="."
                search={(search) => ({ ...search, step: name })}
                replace
                resetScroll
                activeOptions={{ exact: true, includeSearch: true }}
                activeProps={{ 'aria-current': 'step' }}
                aria-current={isNow ? 'step' : undefined}
                data-now={isNow || undefined}
                className="flex min-h-11 items-center gap-3 rounded-lg text-soft hover:bg-hover data-now:bg-hover data-now:font-semibold data-now:text-ink max-md:flex-col max-md:justify-center max-md:gap-1 max-md:py-1 max-md:text-xs md:px-2"
              >
                <span className={`grid size-7 shrink-0 place-items-center rounded-full text-sm font-semibold ${look}`}>
                  {mark}
                </span>
                <span className="max-md:sr-only">{t(`editor.step.${name}`)}</span>
                {isBad && <span className="sr-only">{t('editor.stepFaulty')}</span>}
              </Link>
            </li>
          );
        })}
      </ol>
      <p aria-hidden className="mt-1 text-sm font-medium text-soft md:hidden">
        {t('editor.stepOf', { at: at + 1, name: t(`editor.step.${step}`) })}
      </p>
    </nav>
  );
}
