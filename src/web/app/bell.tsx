import { Link } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import { t } from '../texts/texts.ts';

/** The way to the inbox, with how many messages are unread. */
export function Bell() {
  return (
    <Link
      to="/inbox"
      aria-label={t('nav.inbox')}
      className="relative grid size-9 place-items-center rounded-lg text-ink hover:bg-hover"
    >
      <BellIcon size={19} aria-hidden />
    </Link>
  );
}
