import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { faultsIn, faultText } from '../api/problem.ts';
import { BackLink, Button } from '../parts/button.tsx';
import { Select } from '../parts/forms/field.tsx';
import { FileField } from '../parts/forms/file-field.tsx';
import { useFormMutation } from '../parts/forms/form.tsx';
import { Failure, Page, PageHeader, Section } from '../parts/page.tsx';
import { t, wordOptions } from '../texts/texts.ts';
import { ROLES } from './data.ts';
import { FIELDS, importRoster, type RosterColumns, type RosterField, readColumns } from './import-data.ts';
import { ImportResult } from './import-result.tsx';

type Role = (typeof ROLES)[number];

/** Imports people from a CSV file: first the columns, then what would change, then the import. */
export default function ImportPage() {
  const [role, setRole] = useState<Role>('student');
  const read = useFormMutation({ mutationFn: readColumns });
  const { variables: file, data: found } = read;
  const [fault] = faultsIn(read.error);
  return (
    <Page title={t('import.title')} needs="manage_contacts">
      <BackLink to="/people">{t('people.label')}</BackLink>
      <PageHeader title={t('import.title')} />
      <div className="grid gap-4">
        <Section title={t('import.file')} text={t('import.fileText')}>
          <FileField
            label={file?.name ?? t('import.choose')}
            accept=".csv,.txt,.zip"
            disabled={read.isPending}
            onFiles={([chosen]) => chosen && read.mutate(chosen)}
          />
          <Failure
            error={found?.rows === 0 ? t('import.noRows') : fault ? faultText('file', fault.rule) : read.error}
          />
        </Section>
        {file && found && found.rows > 0 && <Import file={file} found={found} role={role} onRole={setRole} />}
      </div>
    </Page>
  );
}

type Props = { file: File; found: RosterColumns; role: Role; onRole: (role: Role) => void };

/** The columns of a file, what importing it would change, and what it has changed. */
function Import({ file, found, role, onRole }: Props) {
  const [columns, setColumns] = useState(found.columns);
  const [org, setOrg] = useState(found.schools[0]?.id);
  const roster = { file, columns, role, org };
  const preview = useFormMutation({
    mutationFn: () => importRoster(roster, { dry_run: true }),
  });
  const apply = useFormMutation({
    mutationFn: (confirm_left: number) => importRoster(roster, { confirm_left }),
  });
  /** Changes what is imported, which is no longer what was shown. */
  const change =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      preview.reset();
      apply.reset();
      set(value);
    };
  const assign = (head: string, field: RosterField | '') =>
    change(setColumns)(
      columns.map((column) =>
        column.head === head
          ? { ...column, field: field || null }
          : // Each field has one column.
            { ...column, field: column.field === field ? null : column.field },
      ),
    );
  const isPlain = found.format === 'plain';
  const result = apply.data ?? preview.data;
  return (
    <>
      <Section
        title={t(isPlain ? 'import.columns' : 'import.oneroster')}
        text={t(isPlain ? 'import.columnsText' : 'import.onerosterText', { count: found.rows })}
      >
        {isPlain && (
          <ul className="grid gap-2">
            {columns.map(({ head, samples, field }) => (
              <li
                key={head}
                className="grid items-center gap-x-4 gap-y-1 border-t border-line pt-2 first:border-t-0 sm:grid-cols-2"
              >
                <div className="min-w-0">
                  <p className="font-medium break-words">{head}</p>
                  <p className="truncate text-sm text-soft">{samples.join(', ')}</p>
                </div>
                <Select
                  hidesLabel
                  label={t('import.fieldOf', { head })}
                  value={field ?? ''}
                  onChange={(value) => assign(head, value)}
                  none={t('import.noField')}
                  options={wordOptions('rosterField', FIELDS)}
                />
              </li>
            ))}
          </ul>
        )}
        <div className="mt-4 max-w-xs empty:hidden">
          {isPlain && (
            <Select
              label={t('import.role')}
              value={role}
              onChange={change(onRole)}
              options={wordOptions('roleOne', ROLES)}
            />
          )}
          {found.schools.length > 1 && (
            <Select
              label={t('nav.school')}
              value={org ?? ''}
              onChange={change(setOrg)}
              options={found.schools.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
        </div>
        <div className="mt-4 grid gap-3">
          <Failure error={preview.error} />
          <Button
            className="justify-self-start"
            look={preview.data ? 'plain' : 'main'}
            busy={preview.isPending}
            onClick={() => {
              apply.reset();
              preview.mutate();
            }}
          >
            {t('import.preview')}
          </Button>
        </div>
      </Section>
      {result && <ImportResult result={result} apply={apply} />}
      {apply.data && (
        <Link to="/people" className="font-medium text-accent-text hover:underline">
          {t('import.toPeople')}
        </Link>
      )}
    </>
  );
}
