import { api, unwrap } from '../api/client.ts';
import { invalidate } from '../api/queries.ts';
import type { QueryOf, ResponseOf } from '../api/types.ts';

const PATH = '/api/v1/operations/roster';
export type RosterColumns = ResponseOf<'/api/v1/operations/roster/columns', 'post'>;
type RosterColumn = RosterColumns['columns'][number];
export type RosterField = NonNullable<RosterColumn['field']>;
export type RosterResult = ResponseOf<'/api/v1/operations/roster/import', 'post'>;
type Query = QueryOf<'/api/v1/operations/roster/import', 'post'>;

/** The fields that a column can have, in the order of the choice. */
export const FIELDS = [
  'user_id',
  'name',
  'given_name',
  'family_name',
  'role',
  'class_ids',
  'grade_level_ids',
  'department_ids',
  'email',
  'phone',
  'guardian_1_name',
  'guardian_1_email',
  'guardian_1_phone',
  'guardian_1_id',
  'guardian_2_name',
  'guardian_2_email',
  'guardian_2_phone',
  'guardian_2_id',
] as const satisfies readonly RosterField[];

/** Sends the bytes of a file: sent itself, one that has changed since it was chosen fails as if there were no connection. */
const asBytes = async (file: File) => ({
  body: (await file.arrayBuffer()) as never,
  bodySerializer: (body: unknown) => body as BodyInit,
  headers: { 'content-type': 'application/octet-stream' },
});

export const readColumns = async (file: File): Promise<RosterColumns> =>
  unwrap(api.POST(`${PATH}/columns`, (await asBytes(file)) as never));

type RosterImport = { file: File; columns: readonly RosterColumn[]; role: string; org: string | undefined };

/** Imports the file, or with `dry_run` only reports what would change. */
export async function importRoster({ file, columns, role, org }: RosterImport, how: Query): Promise<RosterResult> {
  const column = columns.flatMap(({ field, head }) => (field ? `${field}:${head}` : []));
  const query = { ...how, column, role, org } as Query;
  const result = await unwrap(api.POST(`${PATH}/import`, { params: { query }, ...(await asBytes(file)) } as never));
  if (!how.dry_run) await invalidate(['contacts']);
  return result;
}
