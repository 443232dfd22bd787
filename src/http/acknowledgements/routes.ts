import { type Static, Type } from 'typebox';
import {
  acknowledge,
  loadAcknowledgementState,
  recordCall,
  remindUnacknowledged,
} from '../../acknowledgements/acknowledge.ts';
import {
  type Acknowledged,
  compareClasses,
  comparePositions,
  countAcknowledged,
  countByClass,
  filterAcknowledged,
  findMissed,
  listAcknowledged,
  positionOf,
  READ_STATES,
} from '../../acknowledgements/list.ts';
import { notFound } from '../../core/errors.ts';
import { pick } from '../../core/objects.ts';
import { LIMITS } from '../../events/limits.ts';
import { loadContacts } from '../../people/audience.ts';
import { scopeOf } from '../../people/caller.ts';
import type { Contact } from '../../people/contact.ts';
import { mayOpen } from '../../people/visibility.ts';
import { SUBJECTS, type Subject } from '../messages/subjects.ts';
import { onePage, PAGING, readPage } from '../paging-query.ts';
import { ME } from '../paths.ts';
import type { Routes } from '../route.ts';
import {
  choice,
  id,
  instant,
  line,
  nothing,
  nullable,
  oneOf,
  optional,
  pageOfSchema,
  refTo,
  strict,
} from '../schemas/fields.ts';
import { ACKNOWLEDGED, CLASS_COUNT, READ_COUNTS, REMINDING, TO_CALL } from './acknowledgement-schema.ts';

/** Routes for who has confirmed having read an event or a message of the school. */
export function acknowledgementRoutes(routes: Routes): void {
  for (const one of SUBJECTS) addRoutes(routes, one);
}

function addRoutes(routes: Routes, { base, what, tag, access, isMessage }: Subject): void {
  routes.get(`${base}/acknowledgements`, {
    access,
    name: isMessage ? 'listMessageAcknowledgements' : 'listEventAcknowledgements',
    tag,
    summary: `List who has confirmed having read ${what}, and who has not, by name`,
    description:
      'Of the audience as it is now: each student, for whom the student or any guardian can confirm, and all other people. ' +
      '`counts` and `classes` count everyone, whatever the filters.',
    query: strict({
      ...PAGING,
      state: choice(READ_STATES, 'Only people who have confirmed, or who have not.'),
      class_id: optional(id),
      name: optional(Type.String({ maxLength: 100, description: 'Words that the name contains or begins with.' })),
    }),
    responses: {
      200: pageOfSchema(refTo(ACKNOWLEDGED), {
        counts: READ_COUNTS,
        classes: Type.Array(CLASS_COUNT, { description: 'The counts of each class.' }),
      }),
    },
    result: async (deps, _caller, { event, query }) => {
      const { state, class_id, name } = query;
      const all = await listAcknowledged(deps, event);
      const found = filterAcknowledged(all, { state, class_id, name }).map((one) => ({ ...one, id: positionOf(one) }));
      const page = await readPage(query, ['acknowledgements', event.id, state, class_id, name], async (limit, last) =>
        found.filter((one) => !last || comparePositions(one.id, last.id) > 0).slice(0, limit),
      );
      const by = page.data.flatMap(({ acknowledgement }) => acknowledgement?.by ?? []);
      const people = await loadContacts(deps, event, by);
      const data = page.data.map((one) => viewOf(one, people));
      return { ...page, data, counts: countAcknowledged(all), classes: countByClass(all) };
    },
  });

  routes.post(`${base}/acknowledgements/remind`, {
    access,
    name: isMessage ? 'remindOfMessage' : 'remindOfEvent',
    tag,
    summary: `Remind everyone who has not confirmed having read ${what}`,
    description:
      'Whoever confirms before the message is sent gets none, so a reminder on another channel some hours later reaches those ' +
      'whom the first message did not. It is not sent if the event is cancelled or the message withdrawn.',
    body: REMINDING,
    responses: { 202: nothing('The messages are or will be sent') },
    refusals: ['not_asked'],
    result: async (deps, caller, { event, body }) => void (await remindUnacknowledged(deps, caller, event, body)),
  });

  routes.get(`${base}/call_list`, {
    access,
    name: isMessage ? 'getMessageCallList' : 'getEventCallList',
    tag,
    summary: `List the people who have not confirmed having read ${what}, with phone numbers`,
    description: 'By class and name.',
    query: strict({
      class_id: optional(id),
      deadline: optional({
        ...instant,
        description:
          'Only people who will not know by then: no message that asks them or a guardian was sent by e-mail, text message or push, ' +
          'or is due before.',
      }),
    }),
    responses: { 200: pageOfSchema(refTo(TO_CALL)) },
    result: async (deps, _caller, { event, query: { class_id, deadline } }) => {
      const open = filterAcknowledged(await listAcknowledged(deps, event), { state: 'open', class_id });
      const people = deadline ? await findMissed(deps, event, open, deadline) : open;
      return onePage(people.map(callOf).sort((a, b) => compareClasses(a.class_ids.join(), b.class_ids.join())));
    },
  });

  routes.post(`${base}/call_list/:user_id/reached`, {
    access,
    name: isMessage ? 'recordMessageCall' : 'recordEventCall',
    tag,
    summary: `Record that you reached a person of the call list of ${what}`,
    description: 'The person then counts as confirmed; the list shows who called, when, and the note.',
    body: strict(
      { note: optional(nullable(line(LIMITS.notes, { description: 'What you want to remember of the call.' }))) },
      { examples: [{ note: 'The grandmother tells them.' }] },
    ),
    responses: { 204: nothing('Recorded') },
    refusals: ['not_asked'],
    result: async (deps, caller, { event, params: { user_id }, body: { note = null } }) =>
      recordCall(deps, caller, event, { user_id, note }),
  });
}

const callOf = ({ person, readers }: Acknowledged): Static<typeof TO_CALL> => ({
  ...pick(person, ['user_id', 'name', 'class_ids']),
  numbers: readers.flatMap((reader) =>
    reader.phone === null ? [] : { ...pick(reader, ['user_id', 'name']), phone: reader.phone },
  ),
});

function viewOf(
  { person, readers, acknowledgement }: Acknowledged,
  people: ReadonlyMap<string, Contact>,
): Static<typeof ACKNOWLEDGED> {
  return {
    ...pick(person, ['user_id', 'name', 'class_ids']),
    readers: readers.map((reader) => pick(reader, ['user_id', 'name'])),
    acknowledgement: acknowledgement && {
      ...acknowledgement,
      by: { user_id: acknowledgement.by, name: people.get(acknowledgement.by)?.name ?? null },
    },
  };
}

const OWN = `${ME}/acknowledgements/:event_id`;
const own = { anyToken: 'everyone may confirm what they have read; it is found only in their own school' };

/** Routes by which people confirm what they have read. */
export function ownAcknowledgementRoutes(routes: Routes): void {
  routes.get(OWN, {
    access: { ...own, viewAs: true },
    name: 'getOwnAcknowledgement',
    summary: 'Read whether you still have to confirm that you have read an event or a message',
    responses: {
      200: Type.Object({
        state: oneOf(['not_asked', 'asked', 'confirmed'], {
          description: '`asked`: please confirm. `not_asked`: there is nothing to confirm.',
        }),
      }),
    },
    result: async (deps, caller, { params: { event_id } }) => {
      const asked = { event_id, reader_ids: [caller.user_id] };
      const { state, event } = await loadAcknowledgementState(deps, scopeOf(caller), asked);
      return { state: event && mayOpen(caller, event) ? state : 'not_asked' };
    },
  });

  routes.post(OWN, {
    access: own,
    name: 'acknowledge',
    summary: 'Confirm that you have read an event or a message',
    description: 'Confirms it for you and your children. Repeating it is harmless.',
    responses: { 204: nothing('Confirmed') },
    refusals: ['not_asked'],
    result: async (deps, caller, { params: { event_id } }) => {
      const [event] = await deps.events.findMany([event_id]);
      if (!event || !mayOpen(caller, event)) throw notFound();
      await acknowledge(deps, scopeOf(caller), { event_id, reader_ids: [caller.user_id], channel: 'in_app' });
    },
  });
}
