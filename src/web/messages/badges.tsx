import type { SchoolMessage } from '../api/types.ts';
import { Badge } from '../event-parts/badge.tsx';
import { t } from '../texts/texts.ts';

/** Whether a message was urgent, and whether it was withdrawn. */
export const MessageBadges = ({ message: { urgent, status } }: { message: SchoolMessage }) => (
  <span className="inline-flex flex-wrap gap-1.5">
    {urgent && <Badge look="bg-warn-soft text-warn" text={t('schoolMessage.urgent')} />}
    {status === 'withdrawn' && <Badge look="bg-bad-soft text-bad" text={t('schoolMessage.isWithdrawn')} />}
  </span>
);
