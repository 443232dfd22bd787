import { encode } from 'nodemailer/lib/qp';

/** The limit of 76 (RFC 2045 §6.7) less an encoded leading dot (2 more) and a soft break (1). */
const WIDTH = 72;

/** Needs neither encoding nor wrapping; no dot or `From` at its start. */
const PLAIN = /^[!-\-/-<>-EG-~][ -<>-~]{0,71}$/;

/**
 * A text as quoted-printable with CRLF line ends. Encodes a final blank, so that text can be appended; encodes dots and
 * `From ` at line starts, which some transports and mailboxes change.
 */
export function quotedPrintable(text: string): string {
  if (PLAIN.test(text)) return text;
  return startsSpelledOut(linesOf(text).map(softWrapped).join('\r\n'));
}

/** A file as quoted-printable: encodes its line ends too, so that it is saved unchanged. */
export function quotedPrintableFile(text: string): string {
  if (PLAIN.test(text)) return text;
  const lines = linesOf(text);
  const last = lines.length - 1;
  return startsSpelledOut(lines.map((line, at) => softWrapped(at < last ? `${line}=0D=0A` : line)).join(SOFT_BREAK));
}

/** Starts a new line of the message but not of the text. */
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

/** Caches the encoded fixed texts of a template, which make up most of every e-mail. */
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
