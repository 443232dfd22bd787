import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { networkOf } from './rate-limit.ts';

/** How long a client may take, in milliseconds. Checked every `checkMs`, and for bodies immediately. */
export const CONNECTION_LIMITS = {
  /** until the head of a request is there; also for a connection that sends nothing */
  headersMs: 15_000,
  /** until the body is there; a body that is streamed may take as long as it keeps coming, up to `streamMs` */
  bodyMs: 20_000,
  streamMs: 900_000,
  /** without a byte in either direction; a live stream sends a heartbeat sooner */
  idleMs: 60_000,
  /** between two requests; longer than the 60 seconds after which common load balancers close */
  keepAliveMs: 72_000,
  checkMs: 2_000,
  /** connections of one address at a time; 0: no limit */
  perAddress: 0,
};

export type ConnectionLimits = typeof CONNECTION_LIMITS;

/** The options that Fastify and Node take at the start. */
export const serverOptions = ({ headersMs, streamMs, idleMs, keepAliveMs, checkMs }: ConnectionLimits) => ({
  connectionTimeout: idleMs,
  keepAliveTimeout: keepAliveMs,
  requestTimeout: streamMs,
  http: { headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
});

/** Closes connections that take too long over a body, and those of an address that has too many. */
export function limitConnections(app: FastifyInstance, { bodyMs, perAddress }: ConnectionLimits): void {
  const timers = new WeakMap<object, NodeJS.Timeout>();
  const stop = (request: { raw: object }) => clearTimeout(timers.get(request.raw));
  // The first hook, so that the time limit also holds for a body that a later hook refuses unread.
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw, headers } = request;
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    // An injected request has no real socket that could stay open.
    if (hasBody && raw.socket instanceof Socket) {
      // A busy process first reads what has arrived, so that its own delay does not count as the client's.
      const whenRead = () => setImmediate(() => raw.complete || endSlow(raw.socket));
      timers.set(raw, setTimeout(whenRead, bodyMs).unref());
      raw.once('end', () => stop(request)).once('close', () => stop(request));
    }
    done();
  });
  // A caller who may send a stream is known by now.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (request.routeOptions.config.streamed) stop(request);
    done();
  });
  closeUnusedConnections(app);
  if (perAddress > 0) countConnections(app, perAddress);
}

/** The response of Node itself when its own time for a request is over. */
export function endSlow(socket: Socket): void {
  if (socket.writable) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroySoon();
}

function countConnections(app: FastifyInstance, perAddress: number): void {
  const open = new Map<string, number>();
  app.server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(address) ?? 0) + 1;
    if (count > perAddress) return void socket.destroy();
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

/**
 * Browsers open connections before they need them. Node counts one without a request neither as idle nor as done, and an
 * application that ends would wait for it: here it is closed first. One with a request is closed after its response, because
 * proxies keep connections for the next request, which would be refused.
 */
function closeUnusedConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  let isClosing = false;
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done(null, payload);
  });
  // The head of a stream may have been sent before.
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    if (isClosing) raw.socket.destroySoon();
    done();
  });
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => void unused.delete(socket));
  app.addHook('preClose', async () => {
    isClosing = true;
    for (const socket of unused) socket.destroy();
  });
}
