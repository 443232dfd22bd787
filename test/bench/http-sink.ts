import { type AddressInfo, createServer } from 'node:net';
import { setInterval } from 'node:timers';

/**
 * A push service and a Twilio in one, in a process of its own: takes every POST and tells its parent how many it took. It
 * reads as much of HTTP as undici writes, since what it takes of the machine is missing to what is measured.
 */
let count = 0;
const server = createServer((socket) => {
  let held: Buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    held = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    for (let size = sizeOf(held); size > 0 && size <= held.length; size = sizeOf(held)) {
      count += 1;
      const isPush = held.toString('latin1', 0, 10) === 'POST /push';
      const body = isPush ? '' : `{"sid":"SM${String(count).padStart(32, '0')}","status":"queued"}`;
      socket.write(
        `HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      held = held.subarray(size);
    }
  });
});

/** Bytes of the request that this begins with; 0 while its head isn't all there. */
function sizeOf(held: Buffer): number {
  const end = held.indexOf('\r\n\r\n');
  if (end < 0) return 0;
  const length = /\r\ncontent-length: (\d+)/i.exec(held.toString('latin1', 0, end))?.[1] ?? '0';
  return end + 4 + Number(length);
}

server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
let told = 0;
setInterval(() => {
  if (count !== told) process.send?.({ count });
  told = count;
}, 10);
process.once('disconnect', () => process.exit(0));
