import type { Links } from '../people/links.ts';
import type { ContentInput } from './content.ts';
import type { Delivery } from './delivery.ts';
import type { Content, Outgoing } from './message.ts';

export type ComposeDeps = {
  links: Links;
  publicUrl: string;
  /** the address calendars name as the organizer */
  organizerAddress: string;
  /** `contentOf`, or one that keeps what it made */
  contentOf(input: ContentInput): Content;
};

/** What a message is about, as it is now. */
export type About = Pick<ContentInput, 'event' | 'fact' | 'school'>;

/** The message of one delivery: the shared content, and what differs for its reader. @throws where it can't be composed */
export function outgoingOf(deps: ComposeDeps, row: Delivery, about: About): Outgoing {
  const { publicUrl, organizerAddress } = deps;
  const { trigger, channel, locale, timezone } = row;
  return {
    delivery: row,
    content: deps.contentOf({ ...about, trigger, channel, locale, timezone, publicUrl, organizerAddress }),
    person: {
      name: row.name,
      on_behalf_of: row.on_behalf_of.map((person) => person.name).join(', '),
      unsubscribe_url: `${publicUrl}/unsubscribe/${deps.links.unsubscribe({ ...row, channel })}`,
    },
  };
}
