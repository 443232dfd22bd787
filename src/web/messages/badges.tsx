import type { SchoolMessage } from '../api/types.ts';
import { badgeClass } from '../event-parts/badge.tsx';
import { addTexts, t } from '../texts/texts.ts';

addTexts(import.meta.glob('../texts/*/messages.json', { eager: true, import: 'default' }));

/** Whether a message was urgent, and whether it was withdrawn. */
export const MessageBadges = ({ message: { urgent, status } }: { message: SchoolMessage }) => (
  <span className="inline-flex flex-wrap gap-1.5">
    {urgent && <span className={`${badgeClass} bg-warn-soft text-warn`}>{t('schoolMessage.urgent')}</span>}
    {status === 'withdrawn' && (
      <span className={`${badgeClass} bg-bad-soft text-bad`}>{t('schoolMessage.isWithdrawn')}</span>
    )}
  </span>
);
