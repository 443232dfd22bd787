/** One server-sent event as it came. */
export type Frame = { event: string; data: string; id: string | null };

/**
 * Takes a stream of text piece by piece (text/event-stream as this service writes it). @returns the events that are
 * complete by now; comments are passed over, and `retry` is given to `onRetry`
 */
export function frameReader(onRetry: (ms: number) => void): (text: string) => Frame[] {
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
