import { Readable } from 'node:stream';

export type ServerEvent = { event: string; data: unknown; id?: number };

/** One answer that does not end (text/event-stream): written to while the other side keeps reading. */
export type EventStream = {
  readonly body: Readable;
  send(event: ServerEvent): void;
  /** A comment: keeps what lies between from closing a silent connection. */
  beat(): void;
  /** Says why, and ends in order. */
  end(why: StreamEnd): void;
  onClose(closed: () => void): void;
};

/** `token`: it has run out · `shutdown`: another process takes over · `lost`: something may have been missed. */
export type StreamEnd = 'token' | 'shutdown' | 'lost';

/** Bytes that may wait for a reader before it is cut off: it comes back and says what it has seen last. */
const WAITING_MAX = 256 * 1024;
/** When a browser tries again, in milliseconds; spread, since a process that ends sends all of its readers away. */
const RETRY_MS = [1_000, 4_000] as const;

export function eventStream(random = Math.random): EventStream {
  const body = new Readable({ read() {}, highWaterMark: 16 * 1024 });
  const write = (text: string) => {
    if (body.destroyed || body.readableEnded) return;
    body.push(text);
    if (body.readableLength > WAITING_MAX) body.destroy();
  };
  const [least, most] = RETRY_MS;
  write(`retry: ${Math.round(least + random() * (most - least))}\n\n`);
  let ended = false;
  return {
    body,
    send: (event) => {
      if (!ended) write(frameOf(event));
    },
    beat: () => {
      if (!ended) write(': beat\n\n');
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

/** JSON has no line break of its own, so that one line of data is enough. */
export const frameOf = ({ event, data, id }: ServerEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
