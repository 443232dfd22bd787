import type { components, paths } from '../../../dist/api.d.ts';

export type { components, paths };

type Schemas = components['schemas'];
/** `original_title`: its texts are a translation (in-language.ts). */
export type SchoolEvent = Schemas['Event'] & { original_title?: string };
export type Entry = Schemas['CalendarEntry'];
export type Options = Schemas['EventOptions'];
export type Registration = Schemas['Registration'];
export type Rostered = Schemas['RosteredRegistration'];
export type Slots =
  paths['/api/v1/operations/events/{id}/slots']['get']['responses'][200]['content']['application/json'];
export type Statistics = Schemas['Statistics'];
export type DryRun = Schemas['DryRunResult'];
export type Clashes = Schemas['Clashes'];
export type Fact = Schemas['Fact'];
export type Delivery = Schemas['Delivery'];
export type PeopleCount =
  paths['/api/v1/operations/events/{id}/deliveries/people']['get']['responses'][200]['content']['application/json']['counts'][number];
export type PeopleQuery = NonNullable<
  paths['/api/v1/operations/events/{id}/deliveries/people']['get']['parameters']['query']
>;
type Acknowledgements =
  paths['/api/v1/operations/events/{id}/acknowledgements']['get']['responses'][200]['content']['application/json'];
export type Acknowledged = Acknowledgements['data'][number];
export type AcknowledgedCounts = Pick<Acknowledgements, 'counts' | 'classes'>;
export type AcknowledgedQuery = NonNullable<
  paths['/api/v1/operations/events/{id}/acknowledgements']['get']['parameters']['query']
>;
export type ToCall = Schemas['ToCall'];
export type SchoolMessage = Schemas['SchoolMessage'];
export type SavedText = Schemas['SavedText'];
export type NewMessage = NonNullable<
  paths['/api/v1/operations/messages']['post']['requestBody']
>['content']['application/json'];
export type InboxEntry = Schemas['InboxEntry'];
export type PublicEvent = Schemas['PublicEvent'];
export type Problem = Schemas['Problem'];
/** Registering has a button of its own, by `admission`. */
export type Action = Exclude<SchoolEvent['allowed_actions'][number], 'register'>;
export type Me = paths['/api/v1/me']['get']['responses'][200]['content']['application/json'];
export type Calendar =
  paths['/api/v1/operations/events/calendar']['get']['responses'][200]['content']['application/json'];
type Groups = paths['/api/v1/operations/events/groups']['get']['responses'][200]['content']['application/json'];
export type Group = Groups['class_ids'][number];
export type KnownPerson =
  paths['/api/v1/operations/people']['get']['responses'][200]['content']['application/json']['data'][number];
export type Contact = Schemas['Contact'];
export type CalendarQuery = NonNullable<paths['/api/v1/operations/events/calendar']['get']['parameters']['query']>;
export type ListQuery = NonNullable<paths['/api/v1/operations/events']['get']['parameters']['query']>;
type OfRegistrations<Path extends string> = paths[`/api/v1/operations/events/{id}/registrations${Path}` & keyof paths];
export type RosterCounts = OfRegistrations<'/counts'>['get']['responses'][200]['content']['application/json'];
export type MessageBody = NonNullable<
  OfRegistrations<'/messages'>['post']['requestBody']
>['content']['application/json'];
