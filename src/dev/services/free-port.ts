import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A TCP port on 127.0.0.1 that nobody listens on right now. Somebody may take it before you do: be ready to ask again.
 *
 * It lies below the ports that the kernel gives to outgoing connections. Out of those, a client that keeps trying to
 * reach a server which is down would sooner or later be given that very port and be connected to itself.
 */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(15_000, 32_000);
    if (await isFree(port)) return port;
  }
  throw new Error('no free port between 15000 and 32000 on 127.0.0.1');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
