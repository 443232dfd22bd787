import { fromKeys } from '../../core/objects.ts';
import { REACHED_STATUSES } from '../../notifications/delivery.ts';
import { ALL_TRIGGERS } from '../../notifications/policy/trigger.ts';
import { ruleOf } from '../../notifications/policy/trigger-table.ts';
import { type DeliveryPage, type DeliveryStore, EARLIER_FIELDS } from '../../notifications/ports.ts';
import { scopeOf } from '../../people/caller.ts';
import { CHANNELS, type Channel, withFallback } from '../../people/channels.ts';
import { bounds, type Collection, exists } from '../rows.ts';
import { type DeliveryRow, deliveriesOf } from './delivery-row.ts';

export const ASKING = ALL_TRIGGERS.filter((trigger) => ruleOf(trigger).asksAcknowledgement);

/** Messages that reached their reader, or may have: a message that is sent again may have arrived the first time. */
const REACHED = { $or: [{ status: { $in: REACHED_STATUSES } }, { repeated: true }] };

/** The channel, those that take over from it, and those from which it takes over. */
const relatedTo = (channel: Channel): Channel[] =>
  CHANNELS.filter((one) => withFallback(one).includes(channel) || withFallback(channel).includes(one));

/** Queries for who was notified of an event before. */
export function notifiedQueries(rows: Collection<DeliveryRow>) {
  const listPage = (filter: object, { after, limit }: DeliveryPage) =>
    deliveriesOf(rows.find({ ...filter, ...bounds('_id', after) }, { sort: { _id: 1 }, limit }));

  return {
    async findOthers({ event_ids, channel, user_ids, ...scope }, except_fact_id) {
      const found = rows.find(
        {
          event_id: { $in: event_ids },
          user_id: { $in: user_ids },
          channel: { $in: relatedTo(channel) },
          ...scopeOf(scope),
          fact_id: { $ne: except_fact_id },
        },
        { projection: fromKeys(EARLIER_FIELDS, () => 1), sort: { fact_id: 1 } },
      );
      return (await found.toArray()).map((row) => ({ reason: null, repeated: false, settled_at: null, ...row }));
    },

    listAnnounced(scope, event_ids, page) {
      return listPage(
        { event_id: { $in: event_ids }, ...scopeOf(scope), trigger: 'event.published', ...REACHED },
        page,
      );
    },

    listReachedSince(scope, event_id, since, page) {
      // Messages in flight have no `settled_at` yet.
      const lately = { $or: [{ settled_at: { $gte: since } }, { settled_at: null }] };
      return listPage({ event_id, ...scopeOf(scope), $and: [REACHED, lately] }, page);
    },

    async findAskedBy(scope, event_ids, at) {
      const asking = { trigger: { $in: ASKING }, channel: { $ne: 'in_app' } };
      const leaves = { $or: [{ status: { $in: REACHED_STATUSES } }, { status: 'waiting', due_at: { $lte: at } }] };
      const filter = { event_id: { $in: event_ids }, ...scopeOf(scope), ...asking, ...leaves };
      const found = await rows.find(filter, { projection: { user_id: 1, 'also.user_id': 1 } }).toArray();
      return new Set(found.flatMap(({ user_id, also = [] }) => [user_id, ...also.map((one) => one.user_id)]));
    },

    async findMailed(scope, event_ids) {
      const filter = { event_id: { $in: event_ids }, channel: 'email', ...scopeOf(scope) };
      return (await rows.distinct('user_id', filter)) as string[];
    },

    isBeingAnnounced(scope, event_ids, at) {
      const first = { $in: [null, 0] };
      const open = { status: { $in: ['waiting', 'claimed', 'sending'] }, attempts: first };
      const since = { settled_at: { $gte: at }, attempts: { $in: [null, 0, 1] } };
      const announced = { event_id: { $in: event_ids }, trigger: 'event.published' };
      return exists(rows, { ...announced, ...scopeOf(scope), $or: [open, since] });
    },
  } satisfies Partial<DeliveryStore>;
}
