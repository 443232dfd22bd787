import { connect, createServer, type Socket } from 'node:net';
import { listenForParent } from './child.ts';

/** A TCP proxy in its own process between workers and a distant MongoDB: a round trip takes that many milliseconds longer. */
const [port, delayMs] = process.argv.slice(2).map(Number) as [number, number];
const REQUEST_MS = Math.floor(delayMs / 2);
const ANSWER_MS = delayMs - REQUEST_MS;

/** Timers of one duration fire in order, so the bytes of a connection stay in order. */
function pass(from: Socket, to: Socket, ms: number): void {
  from.setNoDelay(true);
  from.on('data', (data) => setTimeout(() => to.destroyed || to.write(data), ms));
  from.on('error', () => {});
  from.on('close', () => setTimeout(() => to.destroy(), ms));
}

const server = createServer((client) => {
  const upstream = connect(port, '127.0.0.1');
  pass(client, upstream, REQUEST_MS);
  pass(upstream, client, ANSWER_MS);
});
await listenForParent(server, '');
