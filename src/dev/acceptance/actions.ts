import type { Answer, ApiClient, ApiRequest } from '../api-client.ts';
import { idOf } from '../school/demo-person.ts';
import type { Tokens } from '../school/load-school.ts';
import type { Entry, EventAnswer } from './journal.ts';

/** The events of the day, with their letters in the report. */
export type ScriptedEvents = { letter: string; title: string; id: string }[];

export type Registration = { id: string; event_id: string; user_id: string; status: string };

/** Actions of people at the school through the API; acknowledged ones are added to the journal. */
export type Actions = {
  readonly events: ScriptedEvents;
  /** Sends a POST as staff, or with another token, without a journal entry. */
  post<T>(path: string, ask?: ApiRequest, token?: string): Promise<Answer<T>>;
  /** @returns its id */
  create(fields: object): Promise<string>;
  publish(id: string, headers?: Record<string, string>): Promise<EventAnswer>;
  postpone(id: string, to: { new_start_date: string; new_start_time?: string; reason: string }): Promise<EventAnswer>;
  cancel(id: string, reason: string): Promise<EventAnswer>;
  /** Registers people one after the other, since seats and the waitlist follow that order. @returns registrations by name */
  register(id: string, people: readonly (string | { child: string; by: string })[]): Promise<Map<string, Registration>>;
  cancelRegistration(registration: Registration | undefined): Promise<void>;
};

export const EVENTS = '/operations/events';

export function schoolActions({ ask, tokens, journal }: { ask: ApiClient; tokens: Tokens; journal: Entry[] }): Actions {
  const events: ScriptedEvents = [];

  async function record<T>(asked: Promise<Answer<T>>, entry: (body: T, at: number) => Entry): Promise<T> {
    const at = Date.now();
    const { body } = await asked;
    journal.push(entry(body, at));
    return body;
  }
  const post: Actions['post'] = (path, options = {}, token = tokens.staff) =>
    ask(token, path, { method: 'POST', ...options });
  const move = (kind: 'published' | 'postponed' | 'cancelled', path: string, options: ApiRequest) =>
    record(post<EventAnswer>(`${EVENTS}/${path}`, options), (event, at) => ({ kind, at, event }));

  return {
    events,
    post,
    async create(fields) {
      const { body } = await post<EventAnswer>(EVENTS, { body: fields, status: 201 });
      events.push({ letter: 'ABCDEFGH'[events.length] ?? '?', title: body.title, id: body.id });
      return body.id;
    },
    publish: (id, headers = {}) => move('published', `${id}/publish`, { headers }),
    postpone: (id, body) => move('postponed', `${id}/postpone`, { body }),
    cancel: (id, reason) => move('cancelled', `${id}/cancel`, { body: { reason } }),
    async register(id, people) {
      const made = new Map<string, Registration>();
      for (const one of people) {
        const { child, by } = typeof one === 'string' ? { child: one, by: one } : one;
        const body = { kind: 'attendee', ...(by === child ? {} : { user_id: idOf(child) }) };
        const path = `${EVENTS}/${id}/registrations`;
        const asked = post<Registration>(path, { body, status: 201 }, tokens.byUser.get(idOf(by)));
        made.set(child, await record(asked, (row, at) => ({ ...row, kind: 'registered', at })));
      }
      return made;
    },
    async cancelRegistration(registration) {
      if (!registration) throw new Error('the scenario cancels a registration that was never made');
      const { id, event_id, user_id } = registration;
      const path = `${EVENTS}/${event_id}/registrations/${id}/cancel`;
      const body = { reason: 'plans have changed' };
      await record(post(path, { body }, tokens.byUser.get(user_id)), (_, at) => ({ kind: 'left', at, event_id, id }));
    },
  };
}
