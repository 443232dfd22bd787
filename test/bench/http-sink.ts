import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setInterval } from 'node:timers';

/** A push service and a Twilio in one, in a process of its own: takes every POST and tells its parent how many it took. */
let count = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    count += 1;
    const isSms = request.url?.endsWith('/Messages.json') ?? false;
    response.writeHead(201, { 'content-type': 'application/json' });
    response.end(isSms ? JSON.stringify({ sid: `SM${String(count).padStart(32, '0')}`, status: 'queued' }) : '');
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
let told = 0;
setInterval(() => {
  if (count !== told) process.send?.({ count });
  told = count;
}, 10);
process.once('disconnect', () => process.exit(0));
