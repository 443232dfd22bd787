import type { Socket } from 'node:net';
// @ts-expect-error The driver has no types for this module.
import { Connection } from 'mongodb/lib/cmap/connection.js';

/**
 * A connection of the driver on which no command hangs. A command that is written while its socket closes waits for the
 * socket to drain, which a closed socket never does (drivers up to 7.9): the whole process could wait for it forever.
 */
export class DriverConnection extends Connection {
  constructor(socket: Socket, options: object) {
    super(socket, options);
    socket.once('close', () => socket.emit('drain'));
  }
}
