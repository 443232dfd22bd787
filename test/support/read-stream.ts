import { Agent, fetch, type Response } from 'undici';

type StreamedEvent = { event: string; id?: string; data: Record<string, unknown> & { [key: string]: never } };

/** A stream of server-sent events, read as a browser's `fetch` does. */
export type ReadStream = {
  readonly status: number;
  readonly headers: Response['headers'];
  /** The next event of this name; skips earlier ones. */
  next(name: string): Promise<StreamedEvent>;
  /** Everything that was skipped or read so far. */
  readonly seen: readonly StreamedEvent[];
  /** Resolves with the whole stream at its end. */
  rest(): Promise<StreamedEvent[]>;
  readonly comments: readonly string[];
  close(): void;
};

export async function readStream(url: string, headers: Record<string, string>): Promise<ReadStream> {
  // A separate connection, because a shared one would be reopened when one stream is aborted.
  const dispatcher = new Agent();
  const response = await fetch(url, { headers, dispatcher });
  const seen: StreamedEvent[] = [];
  const comments: string[] = [];
  const frames = framesOf(response);
  async function one(): Promise<StreamedEvent | null> {
    for (;;) {
      const { value, done } = await frames.next();
      if (done) return null;
      const fields = Object.fromEntries(
        value.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      if ('' in fields) comments.push(fields['']);
      if (!fields.event) continue;
      const event = {
        event: fields.event,
        ...(fields.id ? { id: fields.id } : {}),
        data: JSON.parse(fields.data ?? ''),
      };
      seen.push(event);
      return event;
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    seen,
    comments,
    async next(name) {
      for (let event = await one(); event; event = await one()) if (event.event === name) return event;
      throw new Error(`the stream ended without ${name}: ${JSON.stringify(seen)}`);
    },
    async rest() {
      while (await one());
      return seen;
    },
    close: () => void dispatcher.destroy(),
  };
}

async function* framesOf(response: Response): AsyncGenerator<string, void> {
  let text = '';
  if (!response.body) return;
  const decoder = new TextDecoder();
  for await (const bytes of response.body) {
    text += decoder.decode(bytes as Uint8Array, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    yield* frames;
  }
}
