import { setInterval } from 'node:timers';
import { startSmtpSink } from '../../src/dev/stand-ins/smtp-sink.ts';

/** The SMTP sink in a process of its own, which tells its parent how many messages it has taken. */
const sink = await startSmtpSink();
process.send?.({ url: sink.url });
let told = 0;
setInterval(() => {
  if (sink.count !== told) process.send?.({ count: sink.count });
  told = sink.count;
}, 10);
process.once('disconnect', () => process.exit(0));
