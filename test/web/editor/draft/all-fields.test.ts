import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { apiDocument } from '../../../../src/build/api-types.ts';
import type { SchoolEvent as Stored } from '../../../../src/events/event.ts';
import type { SchoolEvent } from '../../../../src/web/api/types.ts';
import { bodyOf, ruleOf } from '../../../../src/web/editor/draft/body.ts';
import { draftOf, emptyDraft } from '../../../../src/web/editor/draft/draft.ts';
import { anEvent } from '../../../support/builders.ts';
import { options } from '../options.ts';

/** Fields of the API without an input of their own, and why. */
const EXCEPTIONS: Record<string, string> = {
  is_recurring: 'follows from the recurrence pattern',
  is_free: 'follows from the price',
  'location.name': 'the event has location_name',
  'location.isVirtual': 'compared as the two kinds of place',
  'location.coordinates': 'for imports; people give a link to a map',
  'attachments.mime_type': 'for imports; people give a link',
  'attachments.size': 'for imports; people give a link',
  'registration_questions.id': 'made by the form',
};

type Schema = { properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[]; $ref?: string };

/** The paths of all fields that the body of a new event can have. */
async function writableFields(): Promise<string[]> {
  const { paths, components } = await apiDocument();
  const follow = (schema: Schema): Schema =>
    schema.$ref ? (components.schemas[schema.$ref.split('/').at(-1) ?? ''] as Schema) : schema;
  const pathsOf = (schema: Schema, at: string): string[] => {
    const found = follow(schema);
    const members =
      found.properties ?? found.items?.properties ?? found.anyOf?.find((one) => one.properties)?.properties;
    if (!members || at in EXCEPTIONS) return [at];
    return Object.entries(members).flatMap(([name, member]) => pathsOf(member, at ? `${at}.${name}` : name));
  };
  const body = paths['/api/v1/operations/events']?.post?.requestBody?.content['application/json']?.schema;
  return pathsOf(body as Schema, '');
}

const everything: Partial<Stored> = {
  description: 'All of it',
  translations: { cs: { title: 'Název', description: 'Popis' }, en: { title: 'Title', description: 'Text' } },
  visibility: 'restricted',
  restricted_to: { user_ids: ['a'], roles: ['staff'], class_ids: ['b'], grade_level_ids: ['c'], department_ids: ['d'] },
  recurrence_pattern: 'weekly',
  is_recurring: true,
  recurrence_count: 4,
  location_name: 'Hall',
  organizer: { type: 'department', name: 'Music', email: 'music@school.example' },
  department_id: 'department-music',
  class_id: 'class-5a',
  grade_level_ids: ['grade-5'],
  target_audience: ['parents'],
  cost: 120,
  currency: 'CZK',
  is_free: false,
  image_url: 'https://school.example/image.png',
  banner_url: 'https://school.example/banner.png',
  attachments: [{ name: 'Plan', url: 'https://school.example/plan.pdf' }],
  registration_questions: [
    { id: 'lunch', type: 'choice', label: 'Lunch', options: ['Soup', 'Salad'], required: true },
    { id: 'photos', type: 'consent', label: 'Photos may be taken', required: false },
  ],
  asks_acknowledgement: true,
  acknowledgement_reminder: { after_hours: 24, channels: ['sms'] },
  tags: ['tag'],
  categories: ['category'],
  reminders: [{ type: 'email', offset: 60 }],
  is_featured: true,
  is_active: false,
  registration_type: 'ticketed',
  registration_deadline: '2026-10-15T12:00:00.000Z' as unknown as Date,
  max_attendees: 20,
  waitlist_enabled: true,
  requires_approval: true,
  registration_url: 'https://school.example/register',
};
const room = { building: 'A', room: '1', address: 'Street 1', mapLink: 'https://map.example/', capacity: 30 };
const variants: Partial<Stored>[] = [
  { ...everything, location: { isVirtual: false, ...room } },
  { ...everything, location: { isVirtual: true, virtualLink: 'https://meet.example/' } },
  { ...everything, recurrence_count: null, recurrence_end_date: '2026-12-01' },
  {
    event_type: 'parent_teacher',
    registration_type: 'optional',
    slots: { length_minutes: 15, break_minutes: 5, hosts: [{ user_id: 'jana', name: 'Jana' }] },
  },
];

let fields: string[];
beforeAll(async () => {
  fields = (await writableFields()).filter((path) => !(path in EXCEPTIONS));
});

/** The value at a path; of a list, that of its first item. */
const valueAt = (given: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => {
    const one = Array.isArray(value) ? value[0] : value;
    return one === null || one === undefined ? undefined : (one as Record<string, unknown>)[name];
  }, given);

it('sends every writable field of an event back as it was', () => {
  const returned = variants.map((variant) => {
    const event = anEvent(variant) as unknown as SchoolEvent;
    const draft = draftOf(event, emptyDraft(options, {}));
    return { event, body: Object.assign({}, ...Object.values(bodyOf(draft, options)), ruleOf(draft)) as object };
  });
  expect(fields.length).toBeGreaterThan(50);
  for (const path of fields) {
    const differing = returned.filter(
      ({ event, body }) => JSON.stringify(valueAt(event, path) ?? null) !== JSON.stringify(valueAt(body, path) ?? null),
    );
    expect({ path, differing: differing.length }).toEqual({ path, differing: 0 });
    const isSet = returned.some(({ body }) => (valueAt(body, path) ?? null) !== null);
    expect({ path, isSet }).toEqual({ path, isSet: true });
  }
});

it('sends a question without a text, so that it is refused at its field and not dropped', () => {
  const question = { id: 'a', type: 'text' as const, label: ' ', options: '', required: true };
  const draft = {
    ...emptyDraft(options, {}),
    registration_type: 'optional' as const,
    registration_questions: [question],
  };
  const { registration_questions } = bodyOf(draft, options).registration;
  expect(registration_questions).toEqual([{ id: 'a', type: 'text', label: '', required: true }]);
});

it('leaves an empty deadline empty', () => {
  const draft = { ...emptyDraft(options, {}), registration_type: 'optional' as const };
  expect(bodyOf(draft, options).registration).toMatchObject({ registration_deadline: null, max_attendees: null });
});

it('has an input for every writable field', () => {
  const folder = new URL('../../../../src/web/editor/steps/', import.meta.url);
  const parts = ['../../parts/forms/reminder-field.tsx', '../../event-parts/groups.tsx'];
  const source = [...readdirSync(folder), ...parts]
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n');
  // `name="title"`, `edit({ title: …`, `change({ type })`, `part('type')`, `field('timezone')`, or an entry of a list of names.
  const missing = fields.filter((path) => {
    const name = path.split('.').at(-1);
    return !new RegExp(`name="${name}"|\\{ ${name}(?:: | \\})|\\['${name}'|(?:part|field)\\('${name}'\\)`).test(source);
  });
  expect(missing).toEqual([]);
});
