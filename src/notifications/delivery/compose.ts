import { descriptorOf } from '../../people/channels.ts';
import type { Links } from '../../people/links.ts';
import type { ContentInput } from '../content/content.ts';
import type { Content, Outgoing } from '../content/message.ts';
import type { Delivery } from '../delivery.ts';
import { type Person, type Reader, readersOf, subjectsOf } from '../policy/readers.ts';

export type ComposeDeps = {
  links: Pick<Links, 'unsubscribe' | 'place'>;
  publicUrl: string;
  /** the address calendars name as the organizer */
  organizerAddress: string;
  /** `contentOf`, or one that keeps what it made */
  contentOf(input: ContentInput): Content;
};

/** What a message is about, as it is now. */
export type About = Pick<ContentInput, 'event' | 'fact' | 'school'>;

/** The message of one delivery: the shared content, and what differs for its reader. @throws where it can't be composed */
export function outgoingOf(
  deps: ComposeDeps,
  row: Delivery,
  about: About,
  readers: readonly Reader[] = readersOf(row),
): Outgoing {
  const { publicUrl, organizerAddress } = deps;
  const { trigger, channel, locale, timezone, template_version: texts } = row;
  return {
    delivery: row,
    content: deps.contentOf({
      event: about.event,
      fact: about.fact,
      school: about.school,
      trigger,
      channel,
      locale,
      timezone,
      publicUrl,
      organizerAddress,
      texts,
    }),
    person: {
      name: namesOf(readers),
      on_behalf_of: readers.every((reader) => reader.on_behalf_of.length === 0)
        ? ''
        : namesOf(readers.flatMap(subjectsOf)),
      unsubscribe_url: unsubscribeUrl(deps, row, readers),
      place_url: placeUrl(deps, row),
      registered: row.registration_ids.length > 0 ? 'yes' : '',
    },
  };
}

/** Each of them once; nobody who has no name. */
function namesOf(people: readonly Person[]): string {
  const [only, ...others] = people;
  if (only && others.length === 0) return only.name;
  const names = new Map(people.map(({ user_id, name }) => [user_id, name]));
  return [...names.values()].filter((name) => name !== '').join(', ');
}

/** As many as an address holds; the others get a link of their own once these have gone. */
const LINKED = 6;

/** Only a long message has a place for it, and to sign one costs as much as the rest of an inbox message. */
function unsubscribeUrl(
  { publicUrl, links }: ComposeDeps,
  { tenant_id, school_id, channel }: Delivery,
  readers: readonly Reader[],
): string {
  if (!descriptorOf(channel).isLong) return '';
  const user_ids = readers.slice(0, LINKED).map((reader) => reader.user_id);
  return `${publicUrl}/unsubscribe/${links.unsubscribe({ tenant_id, school_id, user_ids, channel })}`;
}

/** One link is one place: a message about several people's leads to the page of the event instead. */
function placeUrl({ publicUrl, links }: ComposeDeps, { trigger, registration_ids }: Delivery): string {
  const [only, ...more] = registration_ids;
  return trigger === 'event.postponed' && only && more.length === 0 ? `${publicUrl}/place/${links.place(only)}` : '';
}
