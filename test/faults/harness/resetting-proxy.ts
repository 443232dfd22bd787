import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../support/listen.ts';

/**
 * A proxy between the product and its database that resets a connection when the answer to a commit comes back: the commit
 * has happened, but the client does not know.
 */
export async function resettingProxy() {
  const sockets = new Set<Socket>();
  let isChosen: () => boolean = () => false;
  let target = 0;
  let resets = 0;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    let doomed = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.on('data', (request) => {
      if (request.includes('commitTransaction') && isChosen()) doomed = true;
      upstream.write(request);
    });
    upstream.on('data', (answer) => {
      if (!doomed) return void client.write(answer);
      resets += 1;
      client.resetAndDestroy();
      upstream.destroy();
    });
  });
  return {
    /** @param port of the database @returns the port of the proxy */
    listen(port: number): Promise<number> {
      target = port;
      return listen(server);
    },
    /** Resets the commits selected by `chosen` from now on. */
    resetAt(chosen: () => boolean): void {
      isChosen = chosen;
    },
    get resets() {
      return resets;
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
