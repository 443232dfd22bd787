import type { Clock } from '../core/clock.ts';
import { fault, invalid, notFound } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { type Caller, type Scope, scopeOf } from '../people/caller.ts';
import { mustBeAllowed } from '../people/permissions.ts';
import { applyPlan } from './apply-plan.ts';
import { withOccurrences } from './create.ts';
import type { SchoolEvent } from './event.ts';
import { type EventFields, FIELD_NAMES } from './event-fields.ts';
import { LIMITS } from './limits.ts';
import type { EventDeps } from './ports.ts';
import { copyOf } from './rules/copy.ts';
import { faultsOf, senseFaults } from './rules/validation.ts';

/** The fields of an event, kept under a name to create drafts from. */
export type EventTemplate = Scope & EventFields & { id: string; name: string; updated_at: Date };

export type EventTemplateStore = {
  /** All templates of a school, by name. */
  list(scope: Scope): Promise<EventTemplate[]>;
  find(scope: Scope, id: string): Promise<EventTemplate | null>;
  insert(template: EventTemplate): Promise<void>;
  /** @returns null if there is no such template */
  rename(scope: Scope, id: string, name: string, at: Date): Promise<EventTemplate | null>;
  /** @returns false if there is no such template */
  remove(scope: Scope, id: string): Promise<boolean>;
};

type Deps = { clock: Clock; eventTemplates: EventTemplateStore };

/**
 * Keeps the fields of an event, those that a duplicate copies, as a template of the school.
 * @throws Refused `forbidden`, `validation_failed` if the school has too many templates
 */
export async function saveTemplate(
  { clock, eventTemplates }: Deps,
  caller: Caller,
  event: SchoolEvent,
  name: string,
): Promise<EventTemplate> {
  mustBeAllowed(caller, 'create_event');
  const scope = scopeOf(caller);
  if ((await eventTemplates.list(scope)).length >= LIMITS.templates)
    throw invalid([fault('/name', `can’t be added: a school has at most ${LIMITS.templates} templates`, 'maxItems')]);
  const fields = Object.fromEntries(FIELD_NAMES.map((field) => [field, event[field]])) as EventFields;
  const template = { ...fields, ...scope, id: newId(), name: name.trim(), updated_at: clock.now() };
  await eventTemplates.insert(template);
  return template;
}

/** @throws Refused `forbidden`, `not_found` */
export async function renameTemplate(
  { clock, eventTemplates }: Deps,
  caller: Caller,
  id: string,
  name: string,
): Promise<EventTemplate> {
  mustBeAllowed(caller, 'create_event');
  const renamed = await eventTemplates.rename(scopeOf(caller), id, name.trim(), clock.now());
  if (!renamed) throw notFound();
  return renamed;
}

/** @throws Refused `forbidden`, `not_found` */
export async function removeTemplate({ eventTemplates }: Deps, caller: Caller, id: string): Promise<void> {
  mustBeAllowed(caller, 'create_event');
  if (!(await eventTemplates.remove(scopeOf(caller), id))) throw notFound();
}

/**
 * Creates a draft from a template on another date, with the occurrences of its recurrence rule. Notifies no one.
 * @throws Refused `forbidden`, `not_found`, `validation_failed`
 */
export async function createFromTemplate(
  deps: EventDeps & Deps,
  caller: Caller,
  id: string,
  input: { start_date: string; title?: string | undefined },
): Promise<SchoolEvent> {
  mustBeAllowed(caller, 'create_event');
  const template = await deps.eventTemplates.find(scopeOf(caller), id);
  if (!template) throw notFound();
  const draft = copyOf(template, { title: template.title, ...input }, caller, deps.clock.now());
  const faults = [...faultsOf(draft), ...senseFaults(draft, template)];
  if (faults.length > 0) throw invalid(faults);
  await applyPlan(deps, async () => withOccurrences(draft, caller, {}));
  return draft;
}
