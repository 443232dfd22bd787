import { createServer } from 'node:net';
import { listenForParent } from './child.ts';

const END_OF_LINE = '\r\n';
const END_OF_TEXT = '\r\n.\r\n';
const EXTENSIONS = ['250-sink', '250-PIPELINING', '250-8BITMIME', '250-SMTPUTF8', '250 AUTH PLAIN'].join('\r\n');
const REPLIES: Record<string, string> = {
  EHLO: EXTENSIONS,
  DATA: '354 Go on',
  AUTH: '235 Welcome',
  QUIT: '221 Bye',
};
let count = 0;
let isReporting = false;

/** Reports the count soon; a timer bounds the reports of a flood. */
function report(): void {
  if (isReporting) return;
  isReporting = true;
  setTimeout(() => {
    isReporting = false;
    process.send?.({ count });
  }, 1);
}

/** A bare SMTP server in its own process that accepts everything as fast as it can and reports how much to its parent. */
const server = createServer({ noDelay: true }, (socket) => {
  let received = '';
  let isText = false;

  /** The reply to the next complete command or text; undefined if it is still to come. */
  function nextReply(): string | undefined {
    const mark = isText ? END_OF_TEXT : END_OF_LINE;
    const end = received.indexOf(mark);
    if (end === -1) {
      // Only the last characters of a text can belong to its end.
      if (isText) received = received.slice(1 - END_OF_TEXT.length);
      return undefined;
    }
    const verb = isText ? '' : received.slice(0, 4).toUpperCase();
    received = received.slice(end + mark.length);
    if (isText) {
      count++;
      report();
    }
    isText = verb === 'DATA';
    // A text may begin with the final dot.
    if (isText) received = END_OF_LINE + received;
    return REPLIES[verb] ?? '250 OK';
  }

  socket.setEncoding('latin1').on('data', (chunk: string) => {
    received += chunk;
    let replies = '';
    for (let reply = nextReply(); reply !== undefined; reply = nextReply()) replies += reply + END_OF_LINE;
    if (replies !== '') socket.write(replies);
    if (replies.includes('221 ')) socket.end();
  });
  socket.on('error', () => {});
  socket.write('220 sink ESMTP\r\n');
});

await listenForParent(server, 'smtp://');
