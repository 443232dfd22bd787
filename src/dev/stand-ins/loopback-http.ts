import Fastify, { type FastifyReply } from 'fastify';

/** A web server for 127.0.0.1, which takes bodies of any type as bytes. To close it closes hanging connections too. */
export function loopbackServer() {
  // A client that keeps a connection for longer than the server would fail at its next request.
  const app = Fastify({ forceCloseConnections: true, keepAliveTimeout: 120_000 });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  return app;
}

/** Where to listen: a free port of this machine. */
export const LOOPBACK = { host: '127.0.0.1', port: 0 };

/** `hang` and `drop` don't accept the message; the `accept-then-…` do, record it, call back, and answer badly. */
export type Misbehaviour<Answer> =
  | Answer
  | 'hang'
  | 'drop'
  | 'accept-then-500'
  | 'accept-then-hang'
  | 'accept-then-drop';

type Answer = { status: number; headers?: Record<string, string>; body?: object | string };

/** Answers with `behaviour` instead of accepting; the `accept-then-…` accept first. */
export async function misbehave(
  reply: FastifyReply,
  behaviour: Misbehaviour<Answer> | undefined,
  accept: () => Promise<Answer> | Answer,
): Promise<FastifyReply> {
  const isRefused = behaviour === 'hang' || behaviour === 'drop' || typeof behaviour === 'object';
  const answer = isRefused ? behaviour : await accept();
  if (behaviour === 'accept-then-500') return reply.code(500).send('Internal Server Error');
  if (typeof behaviour === 'string') {
    if (behaviour.endsWith('drop')) reply.raw.destroy();
    return reply.hijack();
  }
  const { status, headers = {}, body = '' } = answer as Answer;
  return reply.code(status).headers(headers).send(body);
}
