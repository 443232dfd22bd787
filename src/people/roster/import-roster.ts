import type { Clock } from '../../core/clock.ts';
import { fault, invalid } from '../../core/errors.ts';
import { chunksOf } from '../../core/groups.ts';
import { type Role, type Scope, scopeOf } from '../caller.ts';
import type { Contact } from '../contact.ts';
import type { ContactStore, SchoolStore } from '../ports.ts';
import { type Columns, readPlainRoster } from './plain-roster.ts';
import { planRoster, type RosterPlan } from './plan-roster.ts';
import type { Table } from './roster.ts';
import { directoryOf } from './values.ts';

export type RosterDeps = {
  clock: Clock;
  contacts: Pick<ContactStore, 'listAll' | 'putMany'>;
  schools: Pick<SchoolStore, 'find'>;
  /** Skips what still waits to be sent to people who have left. @returns how many messages */
  stopMessages(scope: Scope, user_ids: readonly string[]): Promise<number>;
};

export type RosterInput = {
  tables: readonly Table[];
  /** of a plain CSV file */
  columns: Columns;
  /** of rows of a plain CSV file without a role */
  role: Role;
  /** how many people may leave although they are more than a fifth */
  confirm_left: number | null;
  dry_run: boolean;
};

/** More people than this share must not leave unconfirmed: half a file looks like a school that half has left. */
const MOST_LEAVING = 0.2;
const BATCH = 1_000;

/**
 * Imports people, classes and guardians from a roster, or plans it. Writes in batches; repeating an import changes nothing. People
 * who have left stay in the directory with their history, get no more messages, and come back with a later import. The caller
 * checks the permission.
 * @throws Refused `validation_failed` if the file has no usable columns, or more than a fifth would leave unconfirmed
 */
export async function importRoster(
  deps: RosterDeps,
  scope: Scope,
  { tables, columns, role, confirm_left, dry_run }: RosterInput,
): Promise<RosterPlan & { needs_confirmation: boolean }> {
  const [contacts, school] = await Promise.all([deps.contacts.listAll(scope), deps.schools.find(scope)]);
  const directory = directoryOf(contacts);
  // Programs in Czech export numbers without the country.
  const country = school.locale === 'cs' ? '420' : null;
  const [table] = tables;
  if (!table) throw invalid([fault('/file', 'must contain a CSV file', 'csv')]);
  checkColumns(table, columns);
  const roster = readPlainRoster(table, { columns, role, country }, directory);
  const plan = planRoster(scopeOf(scope), contacts, roster, deps.clock.now());
  const leaving = plan.left.length;
  const needs_confirmation = leaving > plan.could_leave * MOST_LEAVING && confirm_left !== leaving;
  if (dry_run) return { ...plan, needs_confirmation };
  if (needs_confirmation)
    throw invalid([
      fault(
        '/query/confirm_left',
        `must be ${leaving}, since ${leaving} of ${plan.could_leave} people would leave`,
        'confirm_left',
      ),
    ]);
  await applyPlan(deps, scope, plan);
  return { ...plan, needs_confirmation };
}

/** @throws Refused `validation_failed` if people could not be named, or the file lacks a column */
function checkColumns({ heads }: Table, columns: Columns): void {
  const missing = Object.entries(columns).filter(([, head]) => !heads.includes(head));
  const faults = missing.map(([field, head]) => fault(`/query/column/${field}`, `is no column: ${head}`, 'column'));
  if (!columns.name && !columns.family_name)
    faults.push(fault('/query/column', 'must contain name or family_name', 'required'));
  if (faults.length > 0) throw invalid(faults);
}

async function applyPlan(deps: RosterDeps, scope: Scope, plan: RosterPlan): Promise<void> {
  const { added, changed, returned, left, marked } = plan;
  const written: Contact[] = [...added, ...changed.map(({ contact }) => contact), ...returned, ...marked, ...left];
  for (const some of chunksOf(written, BATCH)) await deps.contacts.putMany(some);
  // After they are marked, so that a fan-out drafts no more for them.
  const ids = left.map(({ user_id }) => user_id);
  for (const some of chunksOf(ids, BATCH)) await deps.stopMessages(scope, some);
}
