import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { pageOf } from '../../core/paging.ts';
import { discardDelivery, redriveDelivery } from '../../notifications/delivery/quarantine.ts';
import { type Delivery, REASONS } from '../../notifications/delivery.ts';
import { masked } from '../../notifications/masked.ts';
import { scopeOf } from '../../people/caller.ts';
import type { RouteDeps } from '../deps.ts';
import { limitOf, PAGING, positionOf } from '../paging-query.ts';
import { OPERATIONS } from '../paths.ts';
import { addRoute } from '../route.ts';
import { pageOfSchema, refTo, strict } from '../schemas/fields.ts';
import { QUARANTINED } from './records-schema.ts';

const QUARANTINE = `${OPERATIONS}/quarantine`;
const DELIVERY_ID = strict({ delivery_id: Type.String({ minLength: 1, maxLength: 100 }) });
const access = { permission: 'manage_deliveries' } as const;

/** Routes for quarantined messages (dead letters): an operator decides whether to send or discard them. */
export function quarantineRoutes(app: FastifyInstance, deps: RouteDeps): void {
  addRoute(app, deps, {
    method: 'GET',
    url: QUARANTINE,
    access,
    name: 'getQuarantine',
    tag: 'deliveries',
    summary:
      'List quarantined messages: those that crashed a process or failed five times because of an internal error',
    query: strict(PAGING),
    answers: { 200: pageOfSchema(refTo(QUARANTINED)) },
    handle: async ({ deliveries }, caller, { query }) => {
      const limit = limitOf(query);
      const after = positionOf(query, ['quarantine'])?.id;
      const rows = await deliveries.listQuarantined(scopeOf(caller), {
        ...(after === undefined ? {} : { after }),
        limit: limit + 1,
      });
      const page = pageOf(rows, limit, (row) => ({ at: '', id: row.id }), ['quarantine']);
      return { status: 200, body: { ...page, data: page.data.map(quarantinedView) } };
    },
  });

  const decide = (
    name: string,
    how: string,
    summary: string,
    apply: (deps: RouteDeps, ...rest: [Parameters<typeof redriveDelivery>[1], string]) => Promise<Delivery>,
  ) =>
    addRoute(app, deps, {
      method: 'POST',
      url: `${QUARANTINE}/:delivery_id/${how}`,
      access,
      name,
      tag: 'deliveries',
      summary,
      description: 'The timeline of the event records who did it.',
      params: DELIVERY_ID,
      answers: { 200: refTo(QUARANTINED, 'The message after the change') },
      refusals: ['not_found'],
      handle: async (joined, caller, { params }) => ({
        status: 200,
        body: quarantinedView(await apply(joined, caller, params.delivery_id)),
      }),
    });
  decide('redriveDelivery', 'redrive', 'Send a quarantined message again', redriveDelivery);
  decide('discardDelivery', 'discard', 'Discard a quarantined message', discardDelivery);
}

const quarantinedView = (row: Delivery) => ({
  ...masked(row),
  reason_text: row.reason && REASONS[row.reason],
  provider: row.provider ?? null,
});
