import { encode } from 'nodemailer/lib/qp';

/** Leaves room for a leading dot spelled out (2) and a soft break (1) within the 76 of RFC 2045 §6.7. */
const WIDTH = 72;

/** Nothing in it needs encoding or wrapping; no dot or `From` at its start. */
const PLAIN = /^[!-\-/-<>-EG-~][ -<>-~]{0,71}$/;

/** ASCII without blanks and `=`: only its length needs care. */
const UNBROKEN = /^[!-<>-~]+$/;

/**
 * A text as quoted-printable whose lines end in CRLF. A blank at its end is spelled out, so that whatever is put behind
 * it can't be lost; dots and `From ` at line starts are spelled out for the transports and mailboxes that touch them.
 */
export function quotedPrintable(text: string): string {
  if (PLAIN.test(text)) return text;
  return (UNBROKEN.test(text) && slicedAscii(text)) || startsSpelledOut(linesOf(text).map(softWrapped).join('\r\n'));
}

/** A link, mostly: the same result as the long way, for a hundredth of its cost. Null where a line start needs care. */
function slicedAscii(text: string): string | null {
  let sliced = '';
  for (let from = 0; from < text.length; from += WIDTH) {
    if (text[from] === '.' || text[from] === 'F') return null;
    sliced += (from === 0 ? '' : SOFT_BREAK) + text.slice(from, from + WIDTH);
  }
  return sliced;
}

/** The same for a file: its line ends are spelled out too, so that it is saved with those it has. */
export function quotedPrintableFile(text: string): string {
  if (PLAIN.test(text)) return text;
  const lines = linesOf(text);
  const last = lines.length - 1;
  return startsSpelledOut(lines.map((line, at) => softWrapped(at < last ? `${line}=0D=0A` : line)).join(SOFT_BREAK));
}

/** Between two texts: what follows starts on a new line of the message, but not of the text. */
export const SOFT_BREAK = '=\r\n';

const linesOf = (text: string): string[] => encode(text.replace(/\r\n?|\n/g, '\r\n')).split('\r\n');

const startsSpelledOut = (encoded: string): string =>
  encoded.replace(/^(?:\.|F(?=rom ))/gm, (first) => (first === '.' ? '=2E' : '=46'));

function softWrapped(line: string): string {
  if (line.length <= WIDTH) return line;
  const lines: string[] = [];
  let from = 0;
  while (line.length - from > WIDTH) {
    let to = from + WIDTH;
    if (line.charAt(to - 1) === '=') to -= 1;
    else if (line.charAt(to - 2) === '=') to -= 2;
    lines.push(line.slice(from, to));
    from = to;
  }
  lines.push(line.slice(from));
  return lines.join(SOFT_BREAK);
}

const ENCODED = new WeakMap<object, Map<string, string>>();

/**
 * For the texts a template itself consists of: each is encoded when it is first needed. A thousand events have a thousand
 * letters, and nearly all of each is this.
 */
export function encodedOnce(template: object): (text: string) => string {
  const kept = ENCODED.get(template) ?? new Map<string, string>();
  ENCODED.set(template, kept);
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const encoded = quotedPrintable(text);
    kept.set(text, encoded);
    return encoded;
  };
}
