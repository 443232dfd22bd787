import { Eye } from 'lucide-react';
import type { Me } from '../api/types.ts';
import { Button } from '../parts/button.tsx';
import { stopViewing } from '../session/stored.ts';
import { t, word } from '../texts/texts.ts';

/** Says on every page as whom a member of staff sees the school, with a button to stop. */
export default function ViewBanner({ me }: { me: Me | undefined }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 bg-warn-soft px-4 py-1.5 text-warn"
    >
      <p className="flex items-center gap-2 font-medium">
        <Eye size={17} aria-hidden className="shrink-0" />
        {me ? viewText(me) : t('viewAs.waiting')}
      </p>
      <Button onClick={stopViewing}>{t('viewAs.stop')}</Button>
    </div>
  );
}

function viewText({ name, user_id, roles }: Me): string {
  const role = roles.map((one) => word('roleOne', one)).join(', ');
  return user_id === '' ? t('viewAs.asRole', { role }) : t('viewAs.asPerson', { name: name ?? user_id, role });
}
