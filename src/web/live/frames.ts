/** One server-sent event. */
type Frame = { event: string; data: string; id: string | null };

/**
 * Creates a parser of text/event-stream as this service writes it. It takes the text in chunks and returns the events that
 * each chunk completes. Ignores comments; passes `retry` to `onRetry`.
 */
export function createFrameParser(onRetry: (ms: number) => void): (text: string) => Frame[] {
  let rest = '';
  return (text) => {
    const parts = (rest + text).replaceAll('\r\n', '\n').split('\n\n');
    rest = parts.pop() ?? '';
    return parts.flatMap((part) => {
      const fields = new Map(part.split('\n').map(fieldOf));
      const retry = fields.get('retry') ?? '';
      if (/^\d+$/.test(retry)) onRetry(Number(retry));
      const data = fields.get('data');
      return data ? [{ event: fields.get('event') ?? 'message', data, id: fields.get('id') ?? null }] : [];
    });
  };
}

function fieldOf(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
  return [name, value];
}
