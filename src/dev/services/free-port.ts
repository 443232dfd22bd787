import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A free TCP port on 127.0.0.1. Another process may take it before you do: be ready to retry.
 *
 * It lies below the ports that the kernel gives to outgoing connections. A client that keeps reconnecting to a
 * server which is down could be given such a port as its own and connect to itself.
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
