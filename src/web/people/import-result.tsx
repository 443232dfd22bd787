import type { UseMutationResult } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { groupsText } from '../event-parts/people.ts';
import { Button } from '../parts/button.tsx';
import { Figures } from '../parts/figures.tsx';
import { Checkbox } from '../parts/forms/checkbox.tsx';
import { Failure, Section } from '../parts/page.tsx';
import { numberText, t, word } from '../texts/texts.ts';
import type { RosterResult } from './import-data.ts';

const KINDS = ['added', 'changed', 'returned', 'left'] as const;

type Props = { result: RosterResult; apply: UseMutationResult<RosterResult, Error, number> };

/** What an import would change or has changed, the conflicts, and the button to import. */
export function ImportResult({ result, apply }: Props) {
  const { counts, needs_confirmation, dry_run, conflicts } = result;
  const [isSure, setSure] = useState(false);
  const rest = counts.conflicts - conflicts.length;
  const isEmpty = KINDS.every((kind) => counts[kind] === 0);
  return (
    <>
      <Section title={t(dry_run ? 'import.wouldChange' : 'import.done')}>
        <Figures
          figures={[...KINDS, 'unchanged' as const, 'conflicts' as const].map((kind) => ({
            label: t(`import.${kind}`),
            value: numberText(counts[kind]),
          }))}
          className="mb-4 sm:grid-cols-3 lg:grid-cols-6"
        />
        {KINDS.map((kind) => (
          <People key={kind} kind={kind} result={result} />
        ))}
        {dry_run && (
          <div className="mt-4 grid gap-3">
            {needs_confirmation && (
              <div className="rounded-lg bg-warn-soft px-3 py-2 text-warn">
                <p>{t('import.manyLeave', { left: counts.left, of: counts.could_leave })}</p>
                <Checkbox value={isSure} onChange={setSure}>
                  {t('import.sure', { count: counts.left })}
                </Checkbox>
              </div>
            )}
            <Failure error={apply.error} />
            <Button
              look="main"
              className="justify-self-start"
              busy={apply.isPending}
              disabled={isEmpty || (needs_confirmation && !isSure)}
              onClick={() => apply.mutate(counts.left)}
            >
              {t('import.apply')}
            </Button>
            {isEmpty && <p className="text-soft">{t('import.nothing')}</p>}
          </div>
        )}
        {!dry_run && (
          <div className="grid gap-2 text-soft">
            <p role="status" className="flex items-center gap-2 text-good">
              <CircleCheck size={17} />
              {t('import.applied')}
            </p>
            {result.changed.some(({ fields }) => fields.includes('class_ids')) && <p>{t('import.otherClasses')}</p>}
            {counts.left > 0 && <p>{t('import.placesOfLeavers')}</p>}
          </div>
        )}
      </Section>
      {conflicts.length > 0 && (
        <Section title={t('import.conflicts')} text={t('import.conflictsText')}>
          <ul className="grid gap-2">
            {conflicts.map(({ file, row, field, rule, value, skipped }) => (
              <li
                key={`${file} ${row} ${field} ${rule} ${value}`}
                className="border-t border-line pt-2 first:border-t-0 first:pt-0"
              >
                <p>
                  <span className="font-medium">{t('import.row', { row })}</span>
                  {[file, word('rosterField', field), value].flatMap((one) => (one ? ` · ${one}` : []))}
                </p>
                <p className="text-sm text-soft">
                  {t(`conflict.${rule}`)} {t(skipped ? 'import.skipped' : 'import.kept')}
                </p>
              </li>
            ))}
          </ul>
          {rest > 0 && <p className="text-sm text-soft">{t('list.more', { count: rest })}</p>}
        </Section>
      )}
    </>
  );
}

function People({ kind, result }: { kind: (typeof KINDS)[number]; result: RosterResult }) {
  const people = result[kind];
  if (people.length === 0) return null;
  const rest = result.counts[kind] - people.length;
  return (
    <details className="border-t border-line py-2">
      <summary className="cursor-pointer py-1.5 font-medium max-sm:py-3">
        {t(`import.${kind}`)} ({numberText(result.counts[kind])})
      </summary>
      <ul className="grid gap-1 py-1 sm:grid-cols-2">
        {people.map((person) => (
          <li key={person.user_id} className="min-w-0 break-words">
            {person.name}
            <span className="text-sm text-soft">
              {` · ${[
                groupsText({ ...person, department_ids: [] }),
                ...('fields' in person ? [t('import.changedFields', { fields: fieldsText(person.fields) })] : []),
              ].join(' · ')}`}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="text-sm text-soft">{t('list.more', { count: rest })}</p>}
    </details>
  );
}

const fieldsText = (fields: readonly string[]): string => fields.map((field) => word('rosterField', field)).join(', ');
