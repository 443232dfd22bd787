import { Parser } from 'htmlparser2';
import type { ReportFault } from '../channels/templates/read-template.ts';
import { type Part, type Placeholder, personFieldOf } from '../channels/templates/template.ts';

/** Attributes that may contain a value, in quotes; of the person's fields only links to Schoolbell. */
const IN_ATTRIBUTES: Partial<Record<string, readonly Placeholder[]>> = {
  href: ['event.url', 'person.unsubscribe_url', 'person.place_url', 'person.acknowledgement_url'],
  'aria-label': ['event.title', 'school.name'],
  src: ['school.logo_url'],
  // The API accepts only `#rrggbb` as a color, so it adds no other CSS.
  bgcolor: ['school.color'],
  style: ['school.color'],
};

/** A placeholder, or a boundary of a condition. */
type Mark = { name: Placeholder; of: 'value' | 'condition' };

/**
 * Values are escaped as HTML text, so placeholders may stand only between tags or in the attributes above, and a condition
 * must begin and end between tags.
 */
export function checkHtmlPlaces(parts: readonly Part[], reportFault: ReportFault): void {
  const marks: Mark[] = [];
  const allowed = new Set<Mark>();
  const html = withMarks(parts, marks);
  const allow = (text: string, isAllowed: (mark: Mark) => boolean) => {
    for (const [, number] of text.matchAll(MARK)) {
      const mark = marks[Number(number)];
      if (mark && isAllowed(mark)) allowed.add(mark);
    }
  };
  const open: string[] = [];
  const parser = new Parser(
    {
      onopentagname: (tag) => open.push(tag),
      onclosetag: () => open.pop(),
      ontext(text) {
        if (!['style', 'script'].includes(open.at(-1) ?? ''))
          allow(text, ({ name, of }) => of === 'condition' || !personFieldOf(name)?.endsWith('_url'));
      },
      onattribute(attribute, value, quote) {
        if (quote) allow(value, ({ name, of }) => of === 'value' && !!IN_ATTRIBUTES[attribute]?.includes(name));
      },
    },
    { decodeEntities: false },
  );
  parser.end(html);
  for (const mark of marks) if (!allowed.has(mark)) reportFault(`a ${mark.of} must not stand here`, mark.name);
}

/** Characters for private use, which no template contains. */
const MARK = /\uE000(\d+)\uE001/g;

/** The HTML with a numbered mark for each placeholder and for each boundary of a condition. */
function withMarks(parts: readonly Part[], marks: Mark[]): string {
  const marked = (mark: Mark) => `\uE000${marks.push(mark) - 1}\uE001`;
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      if ('value' in part) return marked({ name: part.value, of: 'value' });
      const boundary = () => marked({ name: part.when, of: 'condition' });
      return [boundary(), withMarks(part.then, marks), boundary(), withMarks(part.otherwise, marks), boundary()].join(
        '',
      );
    })
    .join('');
}
