import { type Delivery, isOpen, isSent, REACHED_STATUSES, SENT_STATUSES } from '../../notifications/delivery.ts';
import { ALL_TRIGGERS } from '../../notifications/policy/trigger.ts';
import { ruleOf, type Trigger } from '../../notifications/policy/trigger-table.ts';
import type { DeliveryStore, OfPeople } from '../../notifications/ports.ts';
import { scopeOf } from '../../people/caller.ts';
import { CHANNELS, type Channel, withFallback } from '../../people/channels.ts';
import { bounds, type Collection, exists } from '../rows.ts';
import { type DeliveryRow, deliveriesOf } from './delivery-row.ts';

export const ASKING = ALL_TRIGGERS.filter((trigger) => ruleOf(trigger).asksAcknowledgement);

/** Messages that reached their reader, or may have: a message that is sent again may have arrived the first time. */
const REACHED = { $or: [{ status: { $in: REACHED_STATUSES } }, { repeated: true }] };

/** Messages about these events to these people on this channel and those related to it. */
const toPeople = ({ event_ids, channel, user_ids, ...scope }: OfPeople) => ({
  event_id: { $in: event_ids },
  user_id: { $in: user_ids },
  channel: { $in: relatedTo(channel) },
  ...scopeOf(scope),
});

/** Messages in flight have no `settled_at` yet. */
const reachedSince = (since: Date) => ({
  $and: [REACHED, { $or: [{ settled_at: { $gte: since } }, { settled_at: null }] }],
});

/** Rows that a later change of their event stops, or has stopped, before they are sent. */
const OVERTAKEN = {
  status: { $in: ['waiting', 'skipped'] },
  reason: { $in: [null, 'event_state', 'superseded'] },
  repeated: { $ne: true },
};

/** The channel, those that take over from it, and those from which it takes over. */
const relatedTo = (channel: Channel): Channel[] =>
  CHANNELS.filter((one) => withFallback(one).includes(channel) || withFallback(channel).includes(one));

/** Queries for who was notified of an event before. */
export function notifiedQueries(rows: Collection<DeliveryRow>) {
  const page = (filter: object, after: string | null, limit: number): Promise<Delivery[]> =>
    deliveriesOf(rows.find({ ...filter, ...bounds('_id', after) }, { sort: { _id: 1 }, limit }));

  return {
    async findInFlight(of, newer_fact_id) {
      const status = { $in: ['claimed' as const, 'sending' as const] };
      return (await rows.distinct('user_id', { ...toPeople(of), status, fact_id: { $lt: newer_fact_id } })) as string[];
    },

    async findOtherAnnouncements(of, except_fact_id, outdatedBy) {
      const announced = { trigger: { $in: ['event.published', ...outdatedBy] }, fact_id: { $ne: except_fact_id } };
      const found = rows.find(
        { ...toPeople(of), ...announced, ...REACHED },
        { projection: { user_id: 1, fact_id: 1, status: 1, trigger: 1 } },
      );
      return (await found.sort({ fact_id: 1 }).toArray()).map(({ user_id, fact_id, status, trigger }) => ({
        user_id,
        fact_id,
        settled: !isOpen({ status }),
        outdates: trigger !== 'event.published',
      }));
    },

    async findReachedSince(of, since, except_fact_id) {
      const filter = { ...toPeople(of), ...reachedSince(since), fact_id: { $ne: except_fact_id } };
      return (await rows.distinct('user_id', filter)) as string[];
    },

    async findChanges(of, at) {
      const related = toPeople(of);
      const changes: Trigger[] = ['event.changed', 'event.postponed'];
      const change = { trigger: { $in: changes } };
      const missed = [
        { ...change, ...OVERTAKEN },
        { ...change, other_sequences: { $exists: true }, settled_at: { $gte: at } },
      ];
      // Most people missed no change, so the messages that were sent are read only for the others.
      if (!(await exists(rows, { ...related, $or: missed }))) return [];
      const sent = {
        trigger: { $in: [...changes, 'event.published'] },
        $or: [{ status: { $in: SENT_STATUSES } }, { repeated: true }],
      };
      const projection = { user_id: 1, fact_id: 1, status: 1, repeated: 1, settled_at: 1 };
      const found = rows.find({ ...related, $or: [...missed, sent] }, { projection });
      return (await found.toArray()).map((row) => ({
        ...row,
        settled_at: row.settled_at ?? null,
        notified: row.repeated === true || isSent(row),
      }));
    },

    listAnnouncements(scope, event_ids, after, limit) {
      const announced = { event_id: { $in: event_ids }, trigger: 'event.published' };
      return page({ ...announced, ...scopeOf(scope), ...REACHED }, after, limit);
    },

    listNotifiedSince: (scope, event_id, since, after, limit) =>
      page({ event_id, ...scopeOf(scope), ...reachedSince(since) }, after, limit),

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
