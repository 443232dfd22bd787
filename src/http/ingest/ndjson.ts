import type { ImportLine } from '../../people/import-contacts.ts';

const NEWLINE = 0x0a;
const LINE_LIMIT = 64 * 1024;

/**
 * The values of a stream of lines (NDJSON), numbered from 1; blank lines are counted but left out. Holds one chunk and
 * one unfinished line at most: a line beyond the limit is skipped to its end and reported.
 */
export async function* ndjsonLines(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  limit = LINE_LIMIT,
): AsyncGenerator<ImportLine> {
  let line = 0;
  let rest: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer): ImportLine | null => {
    line += 1;
    const tooLong = length + part.length > limit;
    const text = rest.length === 0 ? part : Buffer.concat([...rest, part]);
    rest = [];
    length = 0;
    return tooLong ? { line, unreadable: `must not have more than ${limit} bytes` } : read(line, text);
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const found = take(chunk.subarray(start, end));
      if (found) yield found;
      start = end + 1;
    }
    const tail = chunk.subarray(start);
    length += tail.length;
    if (length > limit) rest = [];
    else if (tail.length > 0) rest.push(tail);
  }
  if (length > 0) {
    const last = take(Buffer.alloc(0));
    if (last) yield last;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function read(line: number, bytes: Buffer): ImportLine | null {
  try {
    const text = utf8.decode(bytes).trim();
    return text === '' ? null : { line, value: JSON.parse(text) };
  } catch {
    return { line, unreadable: 'is not JSON in UTF-8' };
  }
}
