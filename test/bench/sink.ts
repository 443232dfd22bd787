import { setInterval } from 'node:timers';
import { startSmtpSink } from '../../src/dev/stand-ins/smtp-sink.ts';

/** The SMTP sink in its own process; reports the number of accepted messages to its parent. */
const sink = await startSmtpSink();
process.send?.({ url: sink.url });
let reported = 0;
setInterval(() => {
  if (sink.count !== reported) process.send?.({ count: sink.count });
  reported = sink.count;
}, 10);
process.once('disconnect', () => process.exit(0));
