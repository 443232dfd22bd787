import { ChevronLeft, ChevronRight } from 'lucide-react';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';

type Step = 1 | -1;

/** An arrow to the previous or the next period. */
export function StepButton({ by, onStep }: { by: Step; onStep: (by: Step) => void }) {
  const Picture = by === 1 ? ChevronRight : ChevronLeft;
  return (
    <Button
      look="quiet"
      data-print="no"
      className="px-1.5!"
      aria-label={t(by === 1 ? 'calendar.next' : 'calendar.previous')}
      onClick={() => onStep(by)}
      icon={Picture}
    />
  );
}
