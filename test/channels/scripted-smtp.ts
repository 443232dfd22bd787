import { createServer, type Socket } from 'node:net';
import { listen } from '../support/listen.ts';

/** A server's reaction at one step: a reply, silence, closing the connection, or a byte now and then. */
export type Reply = string | { do: 'hang' } | { do: 'drop' } | { do: 'drip'; everyMs: number };

export const hang: Reply = { do: 'hang' };
export const drop: Reply = { do: 'drop' };
export const drip: Reply = { do: 'drip', everyMs: 20 };

/** The replies of a server that works. */
export const USUAL = {
  greeting: '220 stand-in',
  ehlo: '250-stand-in\r\n250-AUTH PLAIN\r\n250 8BITMIME',
  starttls: '220 go ahead',
  auth: '235 2.7.0 welcome',
  mail: '250 2.1.0 ok',
  rcpt: '250 2.1.5 ok',
  data: '354 go ahead',
  /** at the first bytes of the text; '': keep reading */
  text: '',
  /** after the final dot */
  dot: '250 2.0.0 Ok: queued as 4XyZ',
  rset: '250 2.0.0 ok',
} satisfies Record<string, Reply>;

export type Step = keyof typeof USUAL;
export type Script = Partial<Record<Step, Reply | ((nth: number) => Reply)>>;

export type ScriptedSmtp = {
  port: number;
  /** received texts, up to the final dot */
  texts: string[];
  connections: number;
  /** the maximum number of simultaneous connections */
  peak: number;
  open: number;
  commands: string[];
  /** ends all connections with a 421, as servers do with idle ones */
  dropAll(): void;
  close(): Promise<void>;
};

/** An SMTP server that misbehaves by a script; `nth` counts how often it reached that step, from 1. */
export async function scriptedSmtp(script: Script = {}): Promise<ScriptedSmtp> {
  const counts: Partial<Record<Step, number>> = {};
  const sockets = new Set<Socket>();
  const state: ScriptedSmtp = {
    port: 0,
    texts: [],
    connections: 0,
    peak: 0,
    open: 0,
    commands: [],
    dropAll() {
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };

  function replyAt(step: Step): Reply {
    const nth = (counts[step] ?? 0) + 1;
    counts[step] = nth;
    const written = script[step] ?? USUAL[step];
    return typeof written === 'function' ? written(nth) : written;
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    state.connections += 1;
    state.open += 1;
    state.peak = Math.max(state.peak, state.open);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      state.open -= 1;
    });
    let inText = false;
    let textBegan = false;
    let stuck = false;
    let receivers = 0;
    let buffer = '';

    /** @returns whether the dialogue continues */
    function answer(step: Step, reply: Reply = replyAt(step)): boolean {
      if (typeof reply === 'string') {
        if (reply !== '') socket.write(`${reply}\r\n`);
        if (reply.startsWith('421')) socket.end();
        return true;
      }
      stuck = true;
      if (reply.do === 'drop') socket.destroy();
      if (reply.do === 'drip') {
        const timer = setInterval(() => socket.write('2'), reply.everyMs);
        socket.on('close', () => clearInterval(timer));
      }
      return false;
    }

    function onLine(line: string): boolean {
      state.commands.push(line);
      if (/^EHLO/i.test(line)) return answer('ehlo');
      if (/^STARTTLS/i.test(line)) return answer('starttls');
      if (/^AUTH/i.test(line)) return answer('auth');
      if (/^MAIL/i.test(line)) return answer('mail');
      if (/^RCPT/i.test(line)) {
        const reply = replyAt('rcpt');
        if (typeof reply === 'string' && reply.startsWith('2')) receivers += 1;
        return answer('rcpt', reply);
      }
      if (/^RSET/i.test(line)) return answer('rset');
      if (/^QUIT/i.test(line)) {
        socket.end('221 bye\r\n');
        return false;
      }
      if (/^DATA/i.test(line)) {
        const reply = receivers > 0 ? replyAt('data') : '554 5.5.1 no valid recipients';
        receivers = 0;
        inText = typeof reply === 'string' && reply.startsWith('3');
        textBegan = false;
        return answer('data', reply);
      }
      socket.write('500 5.5.1 unknown\r\n');
      return true;
    }

    if (!answer('greeting')) return;
    socket.on('data', (chunk) => {
      if (stuck) return;
      buffer += chunk.toString('latin1');
      for (;;) {
        if (inText) {
          if (!textBegan && buffer.length > 0) {
            textBegan = true;
            if (!answer('text')) return;
          }
          const end = buffer.indexOf('\r\n.\r\n');
          if (end < 0) return;
          state.texts.push(buffer.slice(0, end));
          buffer = buffer.slice(end + 5);
          inText = false;
          if (!answer('dot')) return;
        } else {
          const end = buffer.indexOf('\r\n');
          if (end < 0) return;
          const line = buffer.slice(0, end);
          buffer = buffer.slice(end + 2);
          if (!onLine(line)) return;
        }
      }
    });
  });
  state.port = await listen(server);
  return state;
}
