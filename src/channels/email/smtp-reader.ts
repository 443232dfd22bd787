/** A longer reply is a protocol error. */
const MAX_REPLY = 64 * 1024;

/**
 * Creates a reader of replies (RFC 5321, 4.2.1). It calls `onReply` with each reply, whose lines are joined by line feeds, and
 * `onFault` if the server sends something else.
 * @returns a function that takes the received bytes
 */
export function replyReader(onReply: (reply: string) => void, onFault: () => void): (chunk: Buffer) => void {
  /** the beginning of an unfinished line, and the earlier lines of the same reply */
  let rest = '';
  let lines = '';
  return (chunk) => {
    const received = rest + chunk.toString('latin1');
    let from = 0;
    for (let at = received.indexOf('\n'); at >= 0; at = received.indexOf('\n', from)) {
      const line = received.slice(from, received[at - 1] === '\r' ? at - 1 : at);
      from = at + 1;
      if (line === '') continue;
      // All lines of a reply have the same code.
      const isReply = /^[2-5]\d\d(?:[ -]|$)/.test(line) && (lines === '' || lines.startsWith(line.slice(0, 3)));
      if (!isReply) return onFault();
      if (line[3] === '-') lines += `${line}\n`;
      else {
        const reply = lines + line;
        lines = '';
        onReply(reply);
      }
    }
    rest = from === 0 ? received : received.slice(from);
    if (rest.length + lines.length > MAX_REPLY) onFault();
  };
}

/** The code of a reply. */
export const codeOf = (reply: string): number => Number(reply.slice(0, 3));
