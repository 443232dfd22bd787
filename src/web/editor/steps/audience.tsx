import { useState } from 'react';
import { AudienceFields } from '../../event-parts/audience-fields.tsx';
import { iconOf } from '../../event-parts/icon.tsx';
import { isDerived } from '../../event-parts/visibility.ts';
import { t, word } from '../../texts/texts.ts';
import { useEditing } from '../context.tsx';
import { Cards } from '../inputs.tsx';
import { Restricted } from './restricted.tsx';

/** The people that the event is for: they are notified, and who can see it follows from them. */
export function Audience() {
  const { draft, edit, options, faultOf } = useEditing();
  const { visibility } = draft;
  const [isOpen, setOpen] = useState(!isDerived(draft));
  const isOnlyThem = visibility === 'restricted' && isDerived(draft);
  return (
    <section aria-labelledby="who-for" className="grid gap-4 rounded-xl border border-line p-4">
      <h3 id="who-for" className="font-medium">
        {t('editor.whoFor')}
      </h3>
      <AudienceFields audience={draft} fault={faultOf('class_id')} onChange={edit} />
      <details
        open={isOpen || faultOf('restricted_to') !== undefined}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary className="min-h-9 cursor-pointer content-center rounded-lg font-medium hover:bg-hover">
          {t('editor.seenBy', { who: isOnlyThem ? t('editor.onlyThem') : word('visibility', visibility) })}
        </summary>
        <div className="mt-3 grid gap-4">
          <Cards
            name="visibility"
            columns="sm:grid-cols-2 lg:grid-cols-3"
            choices={options.visibility.map(({ value, icon }) => ({
              value,
              label: word('visibility', value),
              icon: iconOf(icon),
            }))}
          />
          {visibility === 'restricted' && <Restricted />}
        </div>
      </details>
    </section>
  );
}
