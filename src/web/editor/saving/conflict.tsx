import { Button } from '../../parts/button.tsx';
import { t } from '../../texts/texts.ts';

/** Asks which version to continue from after another user has saved the same event. */
export const Conflict = ({ onTheirs, onMine }: { onTheirs: () => void; onMine: () => void }) => (
  <div role="alert" className="mb-4 grid gap-3 rounded-card border border-warn bg-warn-soft p-4 text-warn">
    <p className="font-medium">{t('editor.stale')}</p>
    <div className="flex flex-wrap gap-2">
      <Button onClick={onTheirs}>{t('editor.takeTheirs')}</Button>
      <Button onClick={onMine}>{t('editor.keepMine')}</Button>
    </div>
  </div>
);
