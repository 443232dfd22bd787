import type { components, paths } from '../../../dist/api.d.ts';

export type { components, paths };

type Json<Part> = Part extends { content: { 'application/json': infer Body } } ? Body : never;
type Method = 'get' | 'post' | 'put';

/** The body of the response of a path. */
export type ResponseOf<Path extends keyof paths, M extends Method = 'get', Status extends number = 200> =
  paths[Path] extends Record<M, { responses: Record<Status, infer Part> }> ? Json<Part> : never;
/** The parameters of a request: those in its path, and its query. */
export type ParamsOf<Path extends keyof paths, M extends Method = 'get'> =
  paths[Path] extends Record<M, { parameters: infer Params }> ? Omit<Params, 'header' | 'cookie'> : never;
/** The query of a request. */
export type QueryOf<Path extends keyof paths, M extends Method = 'get'> =
  ParamsOf<Path, M> extends { query?: infer Query } ? NonNullable<Query> : never;
/** The body of the request to a path. */
export type BodyOf<Path extends keyof paths, M extends Method = 'post'> =
  paths[Path] extends Record<M, { requestBody?: infer Part }> ? Json<NonNullable<Part>> : never;

type Schemas = components['schemas'];
/** `original_title`: its texts are a translation (in-language.ts). */
export type SchoolEvent = Schemas['Event'] & { original_title?: string };
export type Entry = Schemas['CalendarEntry'];
export type Options = Schemas['EventOptions'];
export type Registration = Schemas['Registration'];
export type ListedRegistration = Schemas['RosteredRegistration'];
export type Slots = ResponseOf<'/api/v1/operations/events/{id}/slots'>;
export type Statistics = Schemas['Statistics'];
export type DryRun = Schemas['DryRunResult'];
export type Clashes = Schemas['Clashes'];
export type Fact = Schemas['Fact'];
export type Delivery = Schemas['Delivery'];
export type PeopleCount = ResponseOf<'/api/v1/operations/events/{id}/deliveries/people'>['counts'][number];
type Acknowledgements = ResponseOf<'/api/v1/operations/events/{id}/acknowledgements'>;
export type Acknowledged = Acknowledgements['data'][number];
export type AcknowledgedCounts = Pick<Acknowledgements, 'counts' | 'classes'>;
/** When and how people who have not confirmed are reminded. */
export type Reminding = NonNullable<BodyOf<'/api/v1/operations/events/{id}/acknowledgements/remind'>>;
export type ToCall = Schemas['ToCall'];
export type SchoolMessage = Schemas['SchoolMessage'];
export type SavedText = Schemas['SavedText'];
export type NewMessage = BodyOf<'/api/v1/operations/messages'>;
export type InboxEntry = Schemas['InboxEntry'];
export type PublicEvent = Schemas['PublicEvent'];
export type Problem = Schemas['Problem'];
/** Registering has a button of its own, by `admission`. */
export type Action = Exclude<SchoolEvent['allowed_actions'][number], 'register'>;
export type Me = ResponseOf<'/api/v1/me'>;
export type Permission = Me['may'][number];
export type Calendar = ResponseOf<'/api/v1/operations/events/calendar'>;
export type Group = ResponseOf<'/api/v1/operations/events/groups'>['class_ids'][number];
export type KnownPerson = ResponseOf<'/api/v1/operations/people'>['data'][number];
export type Contact = Schemas['Contact'];
export type CalendarQuery = QueryOf<'/api/v1/operations/events/calendar'>;
export type ListQuery = QueryOf<'/api/v1/operations/events'>;
export type RegistrationCounts = ResponseOf<'/api/v1/operations/events/{id}/registrations/counts'>;
export type MessageBody = BodyOf<'/api/v1/operations/events/{id}/registrations/messages'>;
