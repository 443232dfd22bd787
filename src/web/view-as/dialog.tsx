import { useState } from 'react';
import type { Me } from '../api/types.ts';
import { PeoplePicker } from '../event-parts/picker.tsx';
import { ConfirmDialog } from '../parts/dialog.tsx';
import { Select } from '../parts/forms/field.tsx';
import { startViewing } from '../session/stored.ts';
import { t, word } from '../texts/texts.ts';

const ROLES = ['parent', 'student', 'external', 'staff', 'admin'] as const satisfies readonly Me['roles'][number][];

/** Asks as whom to see the calendar: as a role or as one person. */
export default function ViewAsDialog({ onClose }: { onClose: () => void }) {
  const [choice, setChoice] = useState<(typeof ROLES)[number] | 'person'>('parent');
  const [[person], setPeople] = useState<string[]>([]);
  const target = choice !== 'person' ? `role:${choice}` : person && `person:${encodeURIComponent(person)}`;
  return (
    <ConfirmDialog
      title={t('viewAs.title')}
      confirm={t('viewAs.start')}
      disabled={!target}
      onClose={onClose}
      onConfirm={() => target && startViewing(target)}
    >
      <p className="text-soft">{t('viewAs.text')}</p>
      <Select
        label={t('viewAs.who')}
        value={choice}
        onChange={setChoice}
        options={[
          { value: 'person', label: t('viewAs.onePerson') },
          ...ROLES.map((value) => ({ value, label: t('viewAs.anyone', { role: word('roleOne', value) }) })),
        ]}
      />
      {choice === 'person' && (
        <PeoplePicker
          label={t('people.person')}
          hint={t('viewAs.personHint')}
          value={person ? [person] : []}
          onChange={(ids) => setPeople(ids.slice(-1))}
        />
      )}
    </ConfirmDialog>
  );
}
