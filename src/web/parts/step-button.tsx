import { ChevronLeft, ChevronRight } from 'lucide-react';
import { t } from '../texts/texts.ts';
import { IconButton } from './button.tsx';

type Step = 1 | -1;

/** An arrow to the previous or the next period. */
export const StepButton = ({ by, onStep }: { by: Step; onStep: (by: Step) => void }) => (
  <IconButton
    // A small phone has no room for more beside the period.
    className="max-[24rem]:min-w-0!"
    label={t(by === 1 ? 'calendar.next' : 'calendar.previous')}
    onClick={() => onStep(by)}
    icon={by === 1 ? ChevronRight : ChevronLeft}
  />
);
