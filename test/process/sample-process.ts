import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { loop } from '../../src/app/loop.ts';
import { BootRefused, type ProcessContext, runProcess } from '../../src/app/process.ts';

const forever = new Promise<never>(() => {});

/** A part that tells when it is closed, or never is. */
const part = ({ log }: ProcessContext, name: string, closes = true) => ({
  name,
  closeWithinMs: name === 'lost' ? 20 : 60_000,
  close: async () => {
    log.info({ part: name }, 'sample.closing');
    if (!closes) await forever;
  },
});

/** A round that runs when the process is asked to stop and takes another 300 ms. */
const TIMES = { clock: { now: () => new Date() }, tickMs: 10, sweepMs: 10 };

const finishAfterStop = async (signal: AbortSignal) => {
  await once(signal, 'abort');
  await delay(300);
  return null;
};

// Stands for the socket of a lost Redis: keeps the process until it is ended.
const openSocket = () => createServer().listen(0, '127.0.0.1');

const SCENARIOS: Record<string, (context: ProcessContext) => Promise<void>> = {
  async ordinary(context) {
    context.own({ ...part(context, 'first'), ready: async () => 'ok' });
    context.own(part(context, 'second'));
    context.own(loop({ name: 'third', round: async () => {}, ...TIMES, log: context.log }));
  },
  async hanging(context) {
    context.own(part(context, 'first'));
    context.own(part(context, 'hanging', false));
  },
  async rounds(context) {
    for (let n = 0; n < 10; n += 1)
      context.own(loop({ name: `loop ${n}`, round: finishAfterStop, ...TIMES, log: context.log }));
  },
  async lost(context) {
    context.own(part(context, 'first'));
    context.own(part(context, 'lost', false));
    context.own({ name: 'broken', close: () => Promise.reject(new Error('gone: redis://:hunter2@localhost:6379')) });
  },
  async starting(context) {
    context.own(part(context, 'first'));
    context.log.info('sample.waiting');
    await new Promise((resolve) => process.once('SIGTERM', resolve));
    context.own(part(context, 'late'));
    context.log.info('sample.unreachable');
  },
  async asked(context) {
    const ready = async () => {
      context.log.info('sample.asked');
      return 'ok' as const;
    };
    context.own({ ...part(context, 'first'), ready });
  },
  async unready(context) {
    context.own({ ...part(context, 'store'), ready: async () => 'no primary at mongodb://u:hunter2@localhost' });
    context.own({ ...part(context, 'queue'), ready: () => Promise.reject(new TypeError('hunter2')) });
  },
  async thrown(context) {
    context.own(part(context, 'first'));
    setImmediate(() => {
      throw new Error('550 no such user: parent@example.org, call +420123456789');
    });
  },
  async rejected() {
    void Promise.reject(new Error('not handled'));
  },
  async refused() {
    throw new BootRefused('the index facts_pending is missing');
  },
  async unreachable() {
    throw Object.assign(new Error('connect ECONNREFUSED mongodb://u:hunter2@localhost:1'), { code: 'ECONNREFUSED' });
  },
  async private({ log }) {
    log.info({ email: 'a@example.org', user: { phone: '+420123456789' } }, 'sample.person');
    log.child({ token: 'hunter2' }).error(new Error('to parent@example.org'));
  },
};

const scenario = SCENARIOS[process.argv[2] ?? ''];
if (!scenario) throw new Error('which scenario?');
openSocket();
await runProcess({ name: 'sample', needs: process.argv[3] === 'redis' ? ['redis'] : [], start: scenario });
