import type { Answer, Ask, Asker } from '../api-client.ts';
import { idOf } from '../school/demo-person.ts';
import type { Voices } from '../school/load-school.ts';
import type { Entry, EventAnswer } from './journal.ts';

/** The events of the day with the letters they have in the report. */
export type Cast = { letter: string; title: string; id: string }[];

export type Registration = { id: string; event_id: string; user_id: string; status: string };

/** What is done at the school, each through the API; whatever it says yes to goes into the journal. */
export type Acts = {
  readonly cast: Cast;
  /** A POST of the member of staff, or of somebody else, that is not written down. */
  post<T>(path: string, ask?: Ask, token?: string): Promise<Answer<T>>;
  /** @returns its id */
  create(fields: object): Promise<string>;
  publish(id: string, headers?: Record<string, string>): Promise<EventAnswer>;
  postpone(id: string, to: { new_start_date: string; new_start_time?: string; reason: string }): Promise<EventAnswer>;
  cancel(id: string, reason: string): Promise<EventAnswer>;
  /** By name, one after the other, since seats and places on the waitlist go by the order. @returns them by name */
  register(id: string, people: readonly (string | { child: string; by: string })[]): Promise<Map<string, Registration>>;
  leave(registration: Registration | undefined): Promise<void>;
};

export const EVENTS = '/operations/events';

export function actsOn({ ask, voices, journal }: { ask: Asker; voices: Voices; journal: Entry[] }): Acts {
  const cast: Cast = [];

  async function acknowledged<T>(asked: Promise<Answer<T>>, entry: (body: T, at: number) => Entry): Promise<T> {
    const at = Date.now();
    const { body } = await asked;
    journal.push(entry(body, at));
    return body;
  }
  const post: Acts['post'] = (path, options = {}, token = voices.staff) =>
    ask(token, path, { method: 'POST', ...options });
  const move = (kind: 'published' | 'postponed' | 'cancelled', path: string, options: Ask) =>
    acknowledged(post<EventAnswer>(`${EVENTS}/${path}`, options), (event, at) => ({ kind, at, event }));

  return {
    cast,
    post,
    async create(fields) {
      const { body } = await post<EventAnswer>(EVENTS, { body: fields, status: 201 });
      cast.push({ letter: 'ABCDEFGH'[cast.length] ?? '?', title: body.title, id: body.id });
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
        const asked = post<Registration>(path, { body, status: 201 }, voices.of.get(idOf(by)));
        made.set(child, await acknowledged(asked, (row, at) => ({ ...row, kind: 'registered', at })));
      }
      return made;
    },
    async leave(registration) {
      if (!registration) throw new Error('the scenario names somebody who did not register');
      const { id, event_id, user_id } = registration;
      const path = `${EVENTS}/${event_id}/registrations/${id}/cancel`;
      const body = { reason: 'plans have changed' };
      await acknowledged(post(path, { body }, voices.of.get(user_id)), (_, at) => ({ kind: 'left', at, event_id, id }));
    },
  };
}
