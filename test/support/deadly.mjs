// Loaded into a worker before its own code (NODE_OPTIONS=--import …): kills the process that handles a message with a given
// text, as running out of memory or a fault of a native library would.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';

const { DEADLY_TEXT, DEADLY_WIRE } = process.env;
const die = () => process.kill(process.pid, 'SIGKILL');
const isDeadly = (data, deadly) => deadly !== undefined && String(data).includes(deadly);

// While its text is made: the links of a message are signed with the ids of those who read it.
const { createHmac } = crypto;
crypto.createHmac = (...args) => {
  const hmac = createHmac(...args);
  const { update } = hmac;
  hmac.update = (data, ...rest) => {
    if (isDeadly(data, DEADLY_TEXT)) die();
    return update.call(hmac, data, ...rest);
  };
  return hmac;
};
syncBuiltinESMExports();

// While it is on the wire.
const { write } = Socket.prototype;
Socket.prototype.write = function (data, ...rest) {
  if (isDeadly(data, DEADLY_WIRE)) die();
  return write.call(this, data, ...rest);
};
