import type { Links } from '../../people/links.ts';
import { contentOf } from '../content/content.ts';
import { cachedContents } from '../content/content-cache.ts';
import type { Content, PersonSlots } from '../content/message.ts';
import { outgoingOf } from '../delivery/compose.ts';
import type { Delivery } from '../delivery.ts';
import type { Occasion } from '../policy/draft-deliveries.ts';

export type TextDeps = {
  /** How many SMS parts this text costs. */
  smsSegments: (content: Content, person: PersonSlots) => Promise<number>;
  links: Pick<Links, 'place'>;
  publicUrl: string;
};

/** Counts the parts of text messages before they are sent; composes equal texts once. */
export function segmentCounter(deps: TextDeps): (row: Delivery, occasion: Occasion) => Promise<number> {
  const contents = cachedContents(contentOf);
  const known = new Map<string, number>();
  const links = { ...deps.links, unsubscribe: () => '' };
  return async (row, about) => {
    const { content, person } = outgoingOf(
      { links, publicUrl: deps.publicUrl, organizerAddress: '', contentOf: contents },
      row,
      about,
    );
    // Links of one kind are of one length.
    const alike = JSON.stringify([content.key, person.on_behalf_of, person.place_url !== '', person.registered]);
    const counted = known.get(alike) ?? (await deps.smsSegments(content, person));
    known.set(alike, counted);
    return counted;
  };
}
