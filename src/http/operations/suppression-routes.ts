import { Type } from 'typebox';
import { maskedAddress } from '../../notifications/masked.ts';
import { liftBounced, liftSuppression } from '../../notifications/providers/suppression.ts';
import { scopeOf } from '../../people/caller.ts';
import { PAGING, readPage } from '../paging-query.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { described, id, line, nothing, optional, pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { bulkFilter, SPAN } from './bulk-filter.ts';
import { CHANNEL, SUPPRESSION } from './records-schema.ts';

const SUPPRESSIONS = `${OPERATIONS}/suppressions`;
const access = { permission: 'manage_deliveries' } as const;

/** Routes for suppressed addresses: those that bounced, and those whose owner complained or opted out. */
export function suppressionRoutes(routes: Routes): void {
  routes.get(SUPPRESSIONS, {
    access,
    name: 'listSuppressions',
    summary: 'List suppressed addresses',
    description:
      'Lists the addresses that stopped a message of your school. A bounced address is tried again automatically at `until`. People who marked a message as spam still get urgent messages.',
    query: strict({ ...PAGING, user_id: optional(id) }),
    responses: { 200: pageOfSchema(refTo(SUPPRESSION)) },
    result: async ({ suppressions, contacts }, caller, { query }) => {
      const scope = scopeOf(caller);
      const person = query.user_id === undefined ? null : await contacts.find(scope, query.user_id);
      const theirs = [person?.email ?? [], person?.phone ?? []].flat();
      const addresses = query.user_id === undefined ? undefined : theirs;
      const page = await readPage(query, ['suppressions', query.user_id ?? ''], (limit, last) =>
        suppressions.list(scope, { addresses, after: last?.id, limit }),
      );
      const data = page.data.map((row) => ({ ...row, address: maskedAddress(row.address) ?? '' }));
      return { ...page, data };
    },
  });

  routes.delete(`${SUPPRESSIONS}/:suppression_id`, {
    access,
    name: 'liftSuppression',
    summary: 'Remove the suppression of an address',
    responses: { 204: nothing('The address gets messages again') },
    result: async (deps, caller, { params }) => liftSuppression(deps, caller, params.suppression_id),
  });

  routes.post(`${SUPPRESSIONS}/lift`, {
    access,
    name: 'liftSuppressions',
    summary: 'Remove suppressions of bounced addresses by reason and time',
    description:
      'Send `reason`, `from` or `to`. `from` and `to` limit `since` of the suppression. Complaints and opt-outs stay. One call removes at most 1,000 suppressions: repeat it while `has_more` is true.',
    body: strict(
      {
        reason: optional({ ...line(500), description: 'The code of the provider, exactly as `why` shows it.' }),
        channel: optional(CHANNEL),
        ...SPAN,
      },
      { examples: [{ channel: 'email', from: '2026-09-01T08:00:00Z', to: '2026-09-01T09:00:00Z' }] },
    ),
    responses: { 200: described('How many addresses', { lifted: Type.Integer(), has_more: Type.Boolean() }) },
    result: async (deps, caller, { body }) => liftBounced(deps, caller, bulkFilter(body, ['reason', 'from', 'to'])),
  });
}
