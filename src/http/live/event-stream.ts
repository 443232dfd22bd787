import { Readable } from 'node:stream';

export type ServerEvent = { event: string; data: unknown; id?: number };

/** One open answer of server-sent events (text/event-stream). */
export type EventStream = {
  readonly body: Readable;
  send(event: ServerEvent): void;
  /** Sends a comment, so that proxies don't close a silent connection. */
  sendHeartbeat(): void;
  /** Sends an `end` event with the reason and closes the stream. */
  end(why: StreamEnd): void;
  onClose(closed: () => void): void;
};

/** `token`: the token expired · `shutdown`: the process stops · `lost`: the stream may have missed changes. */
export type StreamEnd = 'token' | 'shutdown' | 'lost';

/** High-water mark in bytes: a slower reader is disconnected and reconnects with the last id it saw. */
const BUFFER_MAX = 256 * 1024;
/** When a browser reconnects, in milliseconds, with jitter: a stopping process disconnects all its readers at once. */
const RETRY_MS = [1_000, 4_000] as const;

export function eventStream(random = Math.random): EventStream {
  const body = new Readable({ read() {}, highWaterMark: 16 * 1024 });
  const write = (text: string) => {
    if (body.destroyed || body.readableEnded) return;
    body.push(text);
    if (body.readableLength > BUFFER_MAX) body.destroy();
  };
  const [least, most] = RETRY_MS;
  write(`retry: ${Math.round(least + random() * (most - least))}\n\n`);
  let ended = false;
  return {
    body,
    send: (event) => {
      if (!ended) write(frameOf(event));
    },
    sendHeartbeat: () => {
      if (!ended) write(': heartbeat\n\n');
    },
    end: (why) => {
      if (ended) return;
      write(frameOf({ event: 'end', data: { why } }));
      ended = true;
      body.push(null);
    },
    onClose: (closed) => void body.once('close', closed),
  };
}

/** Formats one server-sent event. JSON has no raw line breaks, so one data line is enough. */
export const frameOf = ({ event, data, id }: ServerEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
