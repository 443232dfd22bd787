import { type Placeholder, slotOf } from './placeholder.ts';
import type { Part } from './template.ts';
import type { Complain } from './template-fault.ts';

/** A position in HTML: between tags, in a tag, in an attribute value, in a comment, in style or script. */
type Place =
  | { in: 'text' }
  | { in: 'tag'; name: string; attribute: string }
  | { in: 'value'; tag: string; attribute: string; quote: string }
  | { in: 'comment' }
  | { in: 'raw'; tag: string };

/** Attributes that may contain a value, in quotes; of the person's slots only links to Schoolbell. */
const IN_ATTRIBUTES: Partial<Record<string, readonly Placeholder[]>> = {
  href: ['event.url', 'person.unsubscribe_url', 'person.place_url', 'person.acknowledgement_url'],
  'aria-label': ['event.title', 'school.name'],
  src: ['school.logo_url'],
  // The API accepts only `#rrggbb` as a color, so it adds no other CSS.
  bgcolor: ['school.color'],
  style: ['school.color'],
};

/**
 * Values are escaped as HTML text, so placeholders may stand only between tags or in the attributes above, and a condition
 * must end in the same kind of place where it began.
 */
export function checkHtmlPlaces(parts: readonly Part[], complain: Complain): void {
  const end = walk(parts, { in: 'text' }, complain);
  if (end.in !== 'text') complain(`the HTML ends in a ${end.in}`);
}

function walk(parts: readonly Part[], start: Place, complain: Complain): Place {
  return parts.reduce<Place>((place, part) => {
    if (typeof part === 'string') return advance(place, part);
    if ('value' in part) {
      checkPlace(part.value, place, complain);
      return place;
    }
    if (place.in !== 'text') complain('a condition must stand between tags', part.when);
    const ends = [walk(part.then, place, complain), walk(part.otherwise, place, complain)];
    if (ends.some((end) => end.in !== place.in)) complain('a condition must end where it began', part.when);
    return place;
  }, start);
}

function checkPlace(name: Placeholder, place: Place, complain: Complain): void {
  const rule = brokenRule(name, place);
  if (rule !== null) complain(rule, name);
}

function brokenRule(name: Placeholder, place: Place): string | null {
  if (place.in === 'text') return slotOf(name)?.endsWith('_url') ? 'may only stand in an href' : null;
  if (place.in !== 'value') return `must not stand in a ${place.in}`;
  if (place.quote === '') return 'an attribute with a value must be quoted';
  return IN_ATTRIBUTES[place.attribute]?.includes(name) ? null : `must not stand in the attribute ${place.attribute}`;
}

function advance(from: Place, text: string): Place {
  let place = from;
  let at = 0;
  const skipTo = (mark: string): boolean => {
    const found = text.toLowerCase().indexOf(mark, at);
    at = found < 0 ? text.length : found + mark.length;
    return found >= 0;
  };
  while (at < text.length) {
    if (place.in === 'comment') {
      if (skipTo('-->')) place = { in: 'text' };
    } else if (place.in === 'raw') {
      if (skipTo(`</${place.tag}`)) place = { in: 'tag', name: '', attribute: '' };
    } else if (place.in === 'text') {
      if (!skipTo('<')) break;
      const rest = text.slice(at);
      if (rest.startsWith('!--')) {
        // `<!-->` is a complete comment: its end may overlap its beginning
        at += 1;
        place = { in: 'comment' };
      } else place = { in: 'tag', name: /^[\w:]*/.exec(rest)?.[0].toLowerCase() ?? '', attribute: '' };
    } else if (place.in === 'value') {
      const { tag: name, attribute, quote } = place;
      if (quote !== '' ? skipTo(quote) : skipUnquoted()) place = { in: 'tag', name, attribute };
    } else place = inTag(place);
  }
  return place;

  function skipUnquoted(): boolean {
    const found = text.slice(at).search(/[\s>]/);
    at = found < 0 ? text.length : at + found;
    return found >= 0;
  }

  function inTag(tag: Place & { in: 'tag' }): Place {
    const token = /^(?:\s+|\/|>|=\s*["']?|[^\s=>/"']+|["'])/.exec(text.slice(at))?.[0] ?? text.charAt(at);
    at += token.length;
    if (token === '>')
      return tag.name === 'style' || tag.name === 'script' ? { in: 'raw', tag: tag.name } : { in: 'text' };
    if (token.startsWith('=')) {
      const quote = /["']$/.exec(token)?.[0] ?? '';
      return { in: 'value', tag: tag.name, attribute: tag.attribute, quote };
    }
    return /^[\s/"']/.test(token) ? tag : { ...tag, attribute: token.toLowerCase() };
  }
}
