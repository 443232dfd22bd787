import type { ImportLine } from '../../people/put-contact.ts';

const NEWLINE = 0x0a;
const LINE_LIMIT = 64 * 1024;

/**
 * Yields the values of an NDJSON stream with their line numbers from 1. Skips blank lines but counts them. Holds at most
 * one chunk and one unfinished line in memory: it reports a line above the limit and skips the rest of it.
 * @param limit bytes per line
 */
export async function* ndjsonLines(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  limit = LINE_LIMIT,
): AsyncGenerator<ImportLine> {
  let line = 0;
  let rest: Buffer[] = [];
  let length = 0;
  const finishLine = (part: Buffer): ImportLine | null => {
    line += 1;
    const tooLong = length + part.length > limit;
    const text = rest.length === 0 ? part : Buffer.concat([...rest, part]);
    rest = [];
    length = 0;
    return tooLong ? { line, unreadable: `must have at most ${limit} bytes` } : read(line, text);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const found = finishLine(chunk.subarray(start, end));
      if (found) yield found;
      start = end + 1;
    }
    const tail = chunk.subarray(start);
    length += tail.length;
    if (length > limit) rest = [];
    else if (tail.length > 0) rest.push(tail);
  }
  if (length > 0) {
    const last = finishLine(Buffer.alloc(0));
    if (last) yield last;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function read(line: number, bytes: Buffer): ImportLine | null {
  try {
    const text = utf8.decode(bytes).trim();
    return text === '' ? null : { line, value: JSON.parse(text) };
  } catch {
    return { line, unreadable: 'must be JSON in UTF-8' };
  }
}
