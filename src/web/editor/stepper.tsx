import { Link, useNavigate } from '@tanstack/react-router';
import { Check, TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { t } from '../texts/texts.ts';
import { STEP_NAMES, type Step, stepOf } from './draft/draft.ts';

/** Links to the five steps. */
export function Stepper({ step, faulty, done }: { step: Step; faulty: ReadonlySet<Step>; done: ReadonlySet<Step> }) {
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

type FooterProps = {
  isDraft: boolean;
  mayPublish: boolean;
  /** whether the draft is stored, and may be finished */
  isStored: boolean;
  unsaved: boolean;
  steps: Pick<ReturnType<typeof useSteps>, 'back' | 'next' | 'go'>;
  onFinish: () => void;
  onPublish: () => void;
  onSave: () => void;
};

/** The buttons between the steps of an event, and those that end its form; the form's submit goes to the next step. */
export function Footer({ isDraft, mayPublish, isStored, unsaved, steps, onFinish, onPublish, onSave }: FooterProps) {
  const { back, next, go } = steps;
  // On a phone, the buttons that end the form are on the last step only.
  const ending = next ? 'max-sm:hidden' : '';
  return (
    <footer className="-mx-4 -mb-4 flex flex-wrap items-center gap-2 border-t border-line px-4 py-3 sm:-mx-6 sm:-mb-6 sm:px-6">
      {back && <Button onClick={() => go(back)}>{t('nav.back')}</Button>}
      <span className="grow" />
      {isDraft && (
        <Button look={next || mayPublish ? 'quiet' : 'main'} className={ending} disabled={!isStored} onClick={onFinish}>
          {t('editor.finish')}
        </Button>
      )}
      {mayPublish && (
        <Button look={next ? 'plain' : 'main'} className={ending} onClick={onPublish}>
          {t('editor.publish')}
        </Button>
      )}
      {!isDraft && (
        <Button look={unsaved ? 'main' : 'plain'} disabled={!unsaved} onClick={onSave}>
          {t('form.save')}
        </Button>
      )}
      {next && (
        <Button type="submit" look={isDraft || !unsaved ? 'main' : 'plain'}>
          {t('editor.next')}
        </Button>
      )}
    </footer>
  );
}

/** Focuses a field of the shown step, or its heading if no such field can take the focus. */
const focusIn = (heading: HTMLElement | null, field: string) =>
  (document.getElementsByName(field)[0] ?? heading)?.focus();

/**
 * The step that the URL names, and the keyboard focus, which moves with it.
 * @param leftBefore the steps that count as left from the start
 */
export function useSteps(step: Step, leftBefore: readonly Step[]) {
  const navigate = useNavigate();
  const [left, setLeft] = useState<ReadonlySet<Step>>(new Set(leftBefore));
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  /** the field to focus once its step shows */
  const wanted = useRef('');
  useEffect(() => {
    if (shown.current === step) return;
    const from = shown.current;
    shown.current = step;
    setLeft((before) => new Set([...before, from]));
    focusIn(heading.current, wanted.current);
    wanted.current = '';
  }, [step]);

  const go = (to: Step) => void navigate({ to: '.', search: (search) => ({ ...search, step: to }) });

  /** Focuses a field, on whichever step it is. */
  function focusField(field: string) {
    const to = stepOf(field);
    if (to === step) return focusIn(heading.current, field);
    wanted.current = field;
    go(to);
  }

  const at = STEP_NAMES.indexOf(step);
  return {
    /** the steps that the user has left, whose errors show */
    left,
    /** for the heading of the step, which gets the focus if no field does */
    heading,
    go,
    back: STEP_NAMES[at - 1],
    next: STEP_NAMES[at + 1],
    focusField,
  };
}
