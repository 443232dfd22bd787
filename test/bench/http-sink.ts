import { createServer } from 'node:net';
import { setInterval } from 'node:timers';
import { listenForParent } from './child.ts';

/**
 * A stand-in for push services and Twilio in its own process: accepts every POST and reports their number to its parent. It
 * parses only the HTTP that undici writes, so that it takes little CPU away from the benchmark.
 */
let count = 0;
const server = createServer((socket) => {
  let buffered: Buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    buffered = buffered.length > 0 ? Buffer.concat([buffered, chunk]) : chunk;
    for (let size = sizeOf(buffered); size > 0 && size <= buffered.length; size = sizeOf(buffered)) {
      count += 1;
      const isPush = buffered.toString('latin1', 0, 10) === 'POST /push';
      const body = isPush ? '' : `{"sid":"SM${String(count).padStart(32, '0')}","status":"queued"}`;
      socket.write(
        `HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      buffered = buffered.subarray(size);
    }
  });
});

/** Bytes of the first request in the buffer; 0 while its head is incomplete. */
function sizeOf(buffered: Buffer): number {
  const end = buffered.indexOf('\r\n\r\n');
  if (end < 0) return 0;
  const length = /\r\ncontent-length: (\d+)/i.exec(buffered.toString('latin1', 0, end))?.[1] ?? '0';
  return end + 4 + Number(length);
}

await listenForParent(server, 'http://');
let reported = 0;
setInterval(() => {
  if (count !== reported) process.send?.({ count });
  reported = count;
}, 10);
