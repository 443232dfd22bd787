import type { IncomingHttpHeaders } from 'node:http';
import { serve } from '../support/serve.ts';

type Asked = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer };
/** An answer; `hang`: no answer, `drop`: ends the connection after reading the request. */
export type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'hang' | 'drop';

/** A server that answers by a script until the test is over. */
export async function scriptedHttp(answer: (asked: Asked, nth: number) => Answer) {
  const asked: Asked[] = [];
  const origin = await serve((request, response) => {
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
  return { origin, asked };
}
