import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { listen } from '../support/listen.ts';

export type Asked = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer };
/** An answer; `hang`: no answer, `drop`: ends the connection after reading the request. */
export type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'hang' | 'drop';

type ScriptedHttp = { origin: string; asked: Asked[]; close(): Promise<void> };

/** A server that answers by a script. */
export async function scriptedHttp(answer: (asked: Asked, nth: number) => Answer): Promise<ScriptedHttp> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks) };
      asked.push(one);
      const reply = answer(one, asked.length);
      if (reply === 'hang') return;
      if (reply === 'drop') return request.socket.destroy();
      response.writeHead(reply.status, reply.headers).end(reply.body ?? '');
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return {
    origin: `http://127.0.0.1:${await listen(server)}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
