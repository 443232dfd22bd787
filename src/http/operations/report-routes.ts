import { type Static, Type } from 'typebox';
import { byId } from '../../core/groups.ts';
import type { Delivery } from '../../notifications/delivery.ts';
import {
  countPeople,
  filterPeople,
  PERSON_OUTCOMES,
  stoppedMessagesOf,
} from '../../notifications/explain/notified-people.ts';
import { explain } from '../../notifications/explain/why.ts';
import { reasonInWords, waitInWords } from '../../notifications/explain/why-words.ts';
import type { Fact } from '../../outbox/fact.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Locale } from '../../people/contact.ts';
import { maySee } from '../../people/visibility.ts';
import { preferredLanguage } from '../language.ts';
import { SUBJECTS, type Subject } from '../messages/subjects.ts';
import { onePage, PAGING, readPage } from '../paging-query.ts';
import { OPERATIONS } from '../paths.ts';
import type { Routes } from '../route.ts';
import { choice, id, named, optional, pageOfSchema, refTo, stamp, strict, stringOrNull } from '../schemas/fields.ts';
import {
  CHANNEL,
  DELIVERY_OUTCOME,
  NOTIFIED_PERSON,
  PEOPLE_COUNTS,
  SHOWN_DELIVERY,
  WHY,
  WITH_STATUS,
} from './records-schema.ts';

const ANSWER = named('TextAnswer', {
  id: Type.String(),
  event_id: Type.String({ description: 'The event of the last text message to this person.' }),
  user_id: Type.String(),
  name: stringOrNull('The name, or the phone number. Null if the person was erased.'),
  channel: CHANNEL,
  text: stringOrNull('What the person wrote. Null if the person was erased.'),
  received_at: { ...stamp, description: 'When it arrived.' },
  forwarded: Type.Boolean({
    description: 'True if the organizer was notified: the text message was at most 30 days old.',
  }),
});

/** The report of what was sent, to whom, and what came back: of an event, and of a message of the school. */
export function reportRoutes(routes: Routes): void {
  for (const one of SUBJECTS) addReport(routes, one);
  routes.get(`${OPERATIONS}/answers`, {
    access: { permission: 'manage_registrations' },
    name: 'listAnswers',
    summary: 'List what people of your school answered to text messages, newest first',
    description: 'Leaves out answers about deleted events, and about events that you may not see.',
    query: strict({ ...PAGING, user_id: optional({ ...id, description: 'Only answers of this person.' }) }),
    responses: { 200: pageOfSchema(refTo(ANSWER)) },
    result: async (deps, caller, { query }) => {
      const { user_id } = query;
      const page = await readPage(query, ['answers', user_id], (limit, last) =>
        deps.facts.listAnswers(scopeOf(caller), { limit, before: last?.id, user_id }),
      );
      const events = byId(await deps.events.findMany(page.data.map(({ event_id }) => event_id)));
      const isShown = ({ event_id }: Answer): boolean => {
        const event = events.get(event_id);
        return !!event && (event.is_message || maySee(caller, event));
      };
      return { ...page, data: page.data.filter(isShown).map(answerView) };
    },
  });
}

function addReport(routes: Routes, { base, what, tag, access, readers, isMessage }: Subject): void {
  routes.get(`${base}/deliveries`, {
    access,
    name: isMessage ? 'listMessageDeliveries' : 'listEventDeliveries',
    tag,
    summary: `List the messages of ${what}`,
    query: strict({ ...PAGING, user_id: optional(id), status: WITH_STATUS }),
    description:
      'With `user_id`, the list includes messages to the guardians of the person. The first page then has `why`: for each ' +
      'message and channel, in words, whether and when it was sent or why it was not.',
    responses: { 200: pageOfSchema(refTo(SHOWN_DELIVERY), { why: optional(Type.Array(refTo(WHY))) }) },
    result: async (deps, caller, { event, query, headers }) => {
      const { user_id, status: statuses } = query;
      const locale = preferredLanguage(headers) ?? 'en';
      const page = await readPage(query, ['deliveries', event.id, user_id, statuses], (limit, last) =>
        deps.deliveries.listOfEvent(scopeOf(caller), event.id, { user_id, statuses, after: last?.id, limit }),
      );
      const asksWhy = user_id !== undefined && query.cursor === undefined;
      const why = asksWhy ? { why: await explain(deps, event, { user_id, locale }) } : {};
      return { ...page, data: page.data.map((row) => deliveryView(row, locale)), ...why };
    },
  });

  routes.get(`${base}/deliveries/summary`, {
    access,
    name: isMessage ? 'getMessageSummary' : 'getDeliverySummary',
    tag,
    summary: `Count the messages of ${what} by trigger, channel and result`,
    responses: { 200: pageOfSchema(DELIVERY_OUTCOME) },
    result: async ({ deliveries }, caller, { event }) =>
      onePage(await deliveries.countOutcomes(scopeOf(caller), event.id, stoppedMessagesOf(event))),
  });

  routes.get(`${base}/deliveries/people`, {
    access,
    name: isMessage ? 'listMessageRecipients' : 'listNotifiedPeople',
    tag,
    summary: `List the people with messages of ${what}, by name, with counts`,
    description: '`counts` counts everyone, whatever the filters.',
    query: strict({
      ...PAGING,
      outcome: choice(PERSON_OUTCOMES, 'Only people with this outcome.'),
      name: optional(Type.String({ maxLength: 100, description: 'Words that the name contains or begins with.' })),
    }),
    responses: { 200: pageOfSchema(NOTIFIED_PERSON, { counts: PEOPLE_COUNTS }) },
    result: async (deps, caller, { event, query }) => {
      const { outcome, name } = query;
      const people = await deps.deliveries.listPeople(scopeOf(caller), event.id, stoppedMessagesOf(event));
      const found = filterPeople(people, { outcome, name });
      const page = await readPage(query, ['people', event.id, outcome, name], async (limit, last) =>
        found.filter(({ id }) => !last || id > last.id).slice(0, limit),
      );
      return { ...page, counts: countPeople(people) };
    },
  });

  routes.get(`${base}/answers`, {
    access: readers,
    name: isMessage ? 'listMessageAnswers' : 'listEventAnswers',
    tag,
    summary: `List what people answered to the text messages of ${what}, newest first`,
    query: strict(PAGING),
    responses: { 200: pageOfSchema(refTo(ANSWER)) },
    result: async ({ facts }, caller, { event, query }) => {
      const types = ['message.answered'] as const;
      const page = await readPage(query, ['answers', event.id], (limit, last) =>
        facts.listOfEvent(scopeOf(caller), event.id, { limit, before: last?.id, types }),
      );
      return { ...page, data: (page.data as Answer[]).map(answerView) };
    },
  });
}

const deliveryView = (row: Delivery, locale: Locale): Static<typeof SHOWN_DELIVERY> => ({
  ...row,
  // The row lists the recipient too if the message is also about them; only the text of the message needs that.
  on_behalf_of: row.on_behalf_of.filter((person) => person.user_id !== row.user_id),
  reason_text: row.reason ? reasonInWords(row.reason, locale) : waitInWords(row, locale),
});

type Answer = Fact<'message.answered'>;

const answerView = ({ id: answerId, event_id, occurred_at, data }: Answer): Static<typeof ANSWER> => ({
  id: answerId,
  event_id,
  user_id: data.user_id,
  name: data.name ?? null,
  channel: data.channel as Static<typeof CHANNEL>,
  text: data.text ?? null,
  received_at: occurred_at,
  forwarded: data.forwarded,
});
