import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { STEP_NAMES, type Step, stepOf } from './draft/draft.ts';

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
    setLeft((known) => new Set([...known, from]));
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
