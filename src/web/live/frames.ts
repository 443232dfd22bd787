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
      const frame: Frame = { event: 'message', data: '', id: null };
      for (const line of part.split('\n')) {
        const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
        if (field === 'event') frame.event = value;
        else if (field === 'data') frame.data += value;
        else if (field === 'id') frame.id = value;
        else if (field === 'retry' && /^\d+$/.test(value)) onRetry(Number(value));
      }
      return frame.data === '' ? [] : [frame];
    });
  };
}
