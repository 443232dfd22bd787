import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type LoopbackRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
};

export type LoopbackAnswer = {
  status: number;
  headers?: Record<string, string>;
  body?: string;
};

/**
 * An HTTP server on 127.0.0.1 with one handler. `hang` never answers, `drop` closes the connection.
 * A handler that throws is answered with 500 and its message.
 */
export async function serveLoopback(
  handle: (request: LoopbackRequest) => Promise<LoopbackAnswer | 'hang' | 'drop'> | LoopbackAnswer | 'hang' | 'drop',
) {
  const server = createServer(async (message, response) => {
    try {
      const answer = await handle(await readRequest(message));
      if (answer === 'drop') message.socket.destroy();
      else if (answer !== 'hang') send(response, answer);
    } catch (error) {
      send(response, { status: 500, headers: { 'content-type': 'text/plain' }, body: String(error) });
    }
  });
  // Longer than any client keeps a connection: one that closes first makes a request of the other fail.
  server.keepAliveTimeout = 120_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** Closes every connection, also the hanging ones. */
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** `hang` and `drop` don't accept the message; the `accept-then-…` do, record it, call back, and answer badly. */
export type Misbehaviour<Answer> =
  | Answer
  | 'hang'
  | 'drop'
  | 'accept-then-500'
  | 'accept-then-hang'
  | 'accept-then-drop';

/** Answers with `behaviour` instead of accepting; the `accept-then-…` accept first. */
export async function misbehave(
  behaviour: Misbehaviour<LoopbackAnswer> | undefined,
  accept: () => Promise<LoopbackAnswer> | LoopbackAnswer,
): Promise<LoopbackAnswer | 'hang' | 'drop'> {
  if (behaviour === 'hang' || behaviour === 'drop' || typeof behaviour === 'object') return behaviour;
  const answer = await accept();
  if (behaviour === 'accept-then-500') return textAnswer(500, 'Internal Server Error');
  return behaviour === undefined ? answer : behaviour === 'accept-then-hang' ? 'hang' : 'drop';
}

/** A plain-text answer. */
export function textAnswer(status: number, body: string, headers: Record<string, string> = {}): LoopbackAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body };
}

/** A JSON answer. */
export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): LoopbackAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

async function readRequest(message: IncomingMessage): Promise<LoopbackRequest> {
  const url = new URL(message.url ?? '/', 'http://127.0.0.1');
  return {
    method: message.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: message.headers,
    body: await buffer(message),
  };
}

function send(response: ServerResponse, { status, headers = {}, body = '' }: LoopbackAnswer): void {
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
