import type { Clock } from '../core/clock.ts';
import { mustBeValid, orNotFound } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { pick } from '../core/objects.ts';
import { type Caller, scopeOf } from '../people/caller.ts';
import { addNamedRecord, changeNamedRecord, type NamedRecord, type NamedRecordStore } from '../people/named-records.ts';
import { applyPlan } from './apply-plan.ts';
import { withOccurrences } from './create.ts';
import type { SchoolEvent } from './event.ts';
import { type EventFields, FIELD_NAMES } from './event-fields.ts';
import { LIMITS } from './limits.ts';
import type { EventDeps } from './ports.ts';
import { copyOf } from './rules/copy.ts';
import { addDefaults } from './rules/defaults.ts';
import { faultsOf, senseFaults } from './rules/validation.ts';

/** The fields of an event, kept under a name to create drafts from. */
export type EventTemplate = NamedRecord & EventFields;

type Deps = { clock: Clock; eventTemplates: NamedRecordStore<EventTemplate> };

/**
 * Stores a template of the school: the fields of an event that a duplicate copies.
 * @throws Refused `validation_failed` if the school has too many templates
 */
export const saveTemplate = (
  { clock, eventTemplates }: Deps,
  caller: Caller,
  event: SchoolEvent,
  name: string,
): Promise<EventTemplate> => {
  const fields: EventFields = pick(event, FIELD_NAMES);
  const template = { ...fields, ...scopeOf(caller), id: newId(), name: name.trim(), updated_at: clock.now() };
  return addNamedRecord(eventTemplates, template, { most: LIMITS.templates, noun: 'templates' });
};

/** @throws Refused `validation_failed` if another template has the name, `not_found` */
export const renameTemplate = (
  { clock, eventTemplates }: Deps,
  caller: Caller,
  id: string,
  name: string,
): Promise<EventTemplate> =>
  changeNamedRecord(eventTemplates, { ...scopeOf(caller), id, name: name.trim(), updated_at: clock.now() });

/**
 * Creates a draft from a template on another date, with the occurrences of its recurrence rule. Notifies no one.
 * @throws Refused `not_found`, `validation_failed`
 */
export async function createFromTemplate(
  deps: EventDeps & Deps,
  caller: Caller,
  id: string,
  input: { start_date: string; title?: string },
): Promise<SchoolEvent> {
  const template = orNotFound(await deps.eventTemplates.find(caller, id));
  addDefaults([template]);
  const draft = copyOf(template, { title: template.title, ...input }, caller, deps.clock.now());
  mustBeValid([...faultsOf(draft), ...senseFaults(draft, template)]);
  await applyPlan(deps, async () => withOccurrences(draft, caller, {}));
  return draft;
}
