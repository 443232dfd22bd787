import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in its own process between workers and a distant MongoDB: a round trip takes five milliseconds longer. */
const REQUEST_MS = 2;
const ANSWER_MS = 3;

/** Timers of one duration fire in order, so the bytes of a connection stay in order. */
function pass(from: Socket, to: Socket, ms: number): void {
  from.setNoDelay(true);
  from.on('data', (data) => setTimeout(() => to.destroyed || to.write(data), ms));
  from.on('error', () => {});
  from.on('close', () => setTimeout(() => to.destroy(), ms));
}

const server = createServer((client) => {
  const upstream = connect(Number(process.argv[2]), '127.0.0.1');
  pass(client, upstream, REQUEST_MS);
  pass(upstream, client, ANSWER_MS);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.once('disconnect', () => process.exit(0));
