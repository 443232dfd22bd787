import type { Logger } from 'pino';

/**
 * Returns a function that follows the connections to a server: logs once that one of them is lost, with the reason if it is
 * known, and once that all are back, with the length of the outage.
 */
export function outageLog(log: Pick<Logger, 'warn' | 'info'>, server: 'mongodb' | 'redis') {
  const lost = new Set<unknown>();
  let since = 0;
  return (connection: unknown, isThere: boolean, why?: string): void => {
    const wasAway = lost.size > 0;
    if (isThere) lost.delete(connection);
    else lost.add(connection);
    const isAway = lost.size > 0;
    if (isAway === wasAway) return;
    if (isAway) {
      since = performance.now();
      log.warn({ server, why }, 'connection.lost');
    } else {
      log.info({ server, ms: Math.round(performance.now() - since) }, 'connection.recovered');
    }
  };
}
