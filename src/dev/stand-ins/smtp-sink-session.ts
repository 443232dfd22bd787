export interface SinkMessage {
  to: string[];
  /** The first bytes of the text, enough for its header block. */
  head: Buffer;
}

interface SinkConnection {
  write(reply: string): void;
  end(): void;
  /** Gets a whole message, and calls `confirm` when it may be answered with 250. */
  take(message: SinkMessage, confirm: () => void): void;
}

const HEAD_BYTES = 32 * 1024;
const END_OF_TEXT = Buffer.from('\r\n.\r\n');
const LINE_END = Buffer.from('\r\n');
const GREETING = '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 AUTH PLAIN\r\n';

/** The server's side of one SMTP connection: feed it what arrives, cut anywhere. */
export function sinkSession(connection: SinkConnection): { feed(chunk: Buffer): void } {
  let buffer: Buffer = Buffer.alloc(0);
  let mode: 'commands' | 'text' | 'confirming' = 'commands';
  let to: string[] = [];
  let head: Buffer = Buffer.alloc(0);
  let replies = '';

  function feed(chunk: Buffer): void {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
    work();
  }

  function work(): void {
    while (mode === 'commands' ? readCommand() : mode === 'text' && readText());
    if (replies !== '') {
      connection.write(replies);
      replies = '';
    }
  }

  function readCommand(): boolean {
    const end = buffer.indexOf(LINE_END);
    if (end === -1) return false;
    const line = buffer.toString('utf8', 0, end);
    buffer = buffer.subarray(end + 2);
    replies += answer(line);
    return true;
  }

  function answer(line: string): string {
    switch (line.slice(0, 4).toUpperCase()) {
      case 'EHLO':
        return GREETING;
      case 'HELO':
        return '250 sink\r\n';
      case 'MAIL':
      case 'RSET':
        to = [];
        return '250 OK\r\n';
      case 'RCPT':
        to.push(/<([^>]*)>/.exec(line)?.[1] ?? '');
        return '250 OK\r\n';
      case 'DATA':
        if (to.length === 0) return '503 RCPT first\r\n';
        mode = 'text';
        // The text may begin with the final dot; a line end before it lets one pattern find it there too.
        buffer = Buffer.concat([LINE_END, buffer]);
        head = Buffer.alloc(0);
        return '354 Go on\r\n';
      case 'NOOP':
        return '250 OK\r\n';
      case 'AUTH':
        return '235 Welcome\r\n';
      case 'QUIT':
        setImmediate(connection.end);
        return '221 Bye\r\n';
      default:
        return '502 Unknown command\r\n';
    }
  }

  function readText(): boolean {
    const end = buffer.indexOf(END_OF_TEXT);
    const text = end === -1 ? Math.max(0, buffer.length - END_OF_TEXT.length + 1) : end;
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, buffer.subarray(0, Math.min(text, HEAD_BYTES))]);
    if (end === -1) {
      buffer = buffer.subarray(text);
      return false;
    }
    buffer = buffer.subarray(end + END_OF_TEXT.length);
    // What follows waits, so that replies keep the order of the commands.
    mode = 'confirming';
    const message = { to, head: head.subarray(LINE_END.length) };
    to = [];
    connection.take(message, () => {
      replies += '250 OK\r\n';
      mode = 'commands';
      work();
    });
    return false;
  }

  return { feed };
}
