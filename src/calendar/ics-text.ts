const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;

/** Escapes a text value (RFC 5545 §3.3.11). */
export const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(';', '\\;')
    .replaceAll(',', '\\,')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replaceAll('\n', '\\n')
    .replace(CONTROLS, ' ');

/** Quotes a parameter value; replaces quotes and control characters, which it can't contain (RFC 5545 §3.2). */
export const quoted = (text: string): string => `"${text.replace(CONTROLS, ' ').replaceAll('"', "'").trim()}"`;

const LINE_MAX = 75;

/** Folds lines at 75 bytes (RFC 5545 §3.1), never within a character. */
export function folded(lines: readonly string[]): string {
  let text = '';
  for (const line of lines) text += `${line.length < 25 ? line : fold(line)}\r\n`;
  return text;
}

function fold(line: string): string {
  if (Buffer.byteLength(line) <= LINE_MAX) return line;
  let text = '';
  let room = LINE_MAX;
  for (const character of line) {
    const bytes = Buffer.byteLength(character);
    if (bytes > room) {
      text += '\r\n ';
      room = LINE_MAX - 1;
    }
    text += character;
    room -= bytes;
  }
  return text;
}
