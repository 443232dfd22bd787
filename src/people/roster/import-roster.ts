import type { Clock } from '../../core/clock.ts';
import { type FieldFault, fault, invalidField, mustBeValid } from '../../core/errors.ts';
import { chunksOf } from '../../core/groups.ts';
import { dayOf } from '../../core/zoned-time.ts';
import { type Role, type Scope, scopeOf } from '../caller.ts';
import type { Contact } from '../contact.ts';
import type { ContactStore } from '../ports.ts';
import type { School, SchoolStore } from '../school.ts';
import { isOneRoster, readOneRoster } from './one-roster.ts';
import { type Columns, readPlainRoster } from './plain-roster.ts';
import { planRoster, type RosterPlan } from './plan-roster.ts';
import { type Roster, type Table, tableOf } from './roster.ts';
import { type Directory, directoryOf } from './values.ts';

type RosterDeps = {
  clock: Clock;
  /** what the directory refuses of a contact */
  contactFaults(contact: unknown): FieldFault[];
  contacts: Pick<ContactStore, 'listAll' | 'putMany'>;
  schools: Pick<SchoolStore, 'find'>;
};

type RosterInput = {
  tables: readonly Table[];
  /** of OneRoster files: the sourcedId of the school; null: the only one */
  org: string | null;
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
/** A plan of more people would fill the memory of the process. */
const MOST_PEOPLE = 50_000;
const BATCH = 1_000;

/**
 * Imports people, classes and guardians from a plain CSV file or OneRoster files, or only plans to. Writes in batches; repeating
 * an import changes nothing. People who have left stay in the directory with their history, get no more messages, and come
 * back with a later import. The caller checks the permission.
 * @throws Refused `validation_failed` if the file has no usable columns or too many people, or more than a fifth would leave
 * unconfirmed
 */
export async function importRoster(
  deps: RosterDeps,
  scope: Scope,
  { confirm_left, dry_run, ...input }: RosterInput,
): Promise<RosterPlan & { needs_confirmation: boolean }> {
  const now = deps.clock.now();
  const [contacts, school] = await Promise.all([deps.contacts.listAll(scope), deps.schools.find(scope)]);
  const roster = await readRoster(input, directoryOf(contacts), school, now);
  const plan = await planRoster(scopeOf(scope), contacts, roster, { now, faultsOf: deps.contactFaults });
  const leaving = plan.left.length;
  const needs_confirmation = leaving > plan.could_leave * MOST_LEAVING && confirm_left !== leaving;
  if (dry_run) return { ...plan, needs_confirmation };
  if (needs_confirmation)
    throw invalidField(
      '/query/confirm_left',
      `must be ${leaving}, since ${leaving} of ${plan.could_leave} people would leave`,
      'confirm_left',
    );
  await applyPlan(deps, plan);
  return { ...plan, needs_confirmation };
}

async function readRoster(
  { tables, columns, role, org }: Omit<RosterInput, 'confirm_left' | 'dry_run'>,
  directory: Directory,
  { locale, timezone }: School,
  now: Date,
): Promise<Roster> {
  const people = tableOf(tables, 'users.csv') ?? tables[0];
  if (people && people.rows.length > MOST_PEOPLE)
    throw invalidField('/file', `must have at most ${MOST_PEOPLE} people`, 'csv');
  // Programs in Czech export numbers without the country.
  const country = locale === 'cs' ? '420' : null;
  if (isOneRoster(tables)) return readOneRoster(tables, { org, country, today: dayOf(now, timezone) }, directory);
  const [table, ...others] = tables;
  if (!table || others.length > 0) throw invalidField('/file', 'must be one CSV file, or OneRoster files', 'csv');
  checkColumns(table, columns);
  return readPlainRoster(table, { columns, role, country }, directory);
}

/** @throws Refused `validation_failed` if people could not be named, or the file lacks a column */
function checkColumns({ heads }: Table, columns: Columns): void {
  if (heads.length === 0) throw invalidField('/file', 'must not be empty', 'csv');
  const missing = Object.entries(columns).filter(([, head]) => !heads.includes(head));
  const faults = missing.map(([field, head]) =>
    fault(`/query/column/${field}`, `must be a column of the file, which has no “${head}”`, 'column'),
  );
  if (!columns.name && !columns.family_name)
    faults.push(fault('/query/column', 'must contain name or family_name', 'required'));
  mustBeValid(faults);
}

async function applyPlan({ contacts }: RosterDeps, plan: RosterPlan): Promise<void> {
  const { added, changed, returned, left, marked } = plan;
  for (const some of chunksOf(added, BATCH)) await contacts.putMany(some);
  const known: Contact[] = [...changed.map(({ contact }) => contact), ...returned, ...marked, ...left];
  // A person who was erased or replaced since the directory was read stays so.
  for (const some of chunksOf(known, BATCH)) await contacts.putMany(some, { upsert: false });
}
