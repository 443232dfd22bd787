// Started by services.test.ts: a process with services of its own, which tells where they are and what SIGINT does.
import { once } from 'node:events';
import { connect } from 'node:net';
import { startServices } from '../../../src/dev/services/services.ts';

const { MONGODB_URI: _uri, REDIS_URL: _url, ...env } = process.env;
const { mongo, redis, stop } = await startServices({ env });

process.once('SIGINT', async () => {
  for (const { port } of [mongo, redis]) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  }
  print('still serving');
  await stop();
  process.exit(0);
});
print({ ports: [mongo.port, redis.port], pids: [mongo.pid, redis.pid] });
setInterval(() => {}, 60_000);

function print(what: unknown): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
