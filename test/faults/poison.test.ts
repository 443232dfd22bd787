import { expect } from 'vitest';
import type { ProductProcess } from '../../src/dev/product-process.ts';
import { contactStore } from '../../src/mongo/people/people-stores.ts';
import { contactOf, E, eventually, type OwnWorld, provideWorld, publishEvent } from '../support/world.ts';
import { allFactsProcessed, checkMails, endLeases, skipUnknownWait } from './harness/checks.ts';
import { row } from './harness/row.ts';

const QUARANTINE = '/api/v1/operations/quarantine';
/** Fills one job with more than one chunk. */
const MATES = 40;
const addresses = Array.from({ length: MATES }, (_, n) => `person-${n}@people.example`);
/** The mail to one of them crashes the worker; the other is an ordinary recipient. */
const POISON = ['poison-text', 'poison-wire'] as const;

const PRELOAD = new URL('../support/deadly.mjs', import.meta.url).href;

const world = provideWorld({ start: ['api', 'relay', 'fan-out'] });

/** Publishes to 40 people and to both whose mail may crash the worker. */
async function publish(): Promise<string> {
  const contacts = contactStore(world.database);
  await contacts.putMany(Array.from({ length: MATES }, (_, n) => contactOf(n)));
  const poison = POISON.map((user_id, n) => contactOf(MATES + n, { user_id, email: `${user_id}@people.example` }));
  await contacts.putMany(poison);
  const id = await publishEvent(world);
  await eventually('the rows', () => allFactsProcessed(world));
  return id;
}

/** Replaces each e-mail worker that died until every message of the event has a result. */
async function runDying(event_id: string, env: Record<string, string>): Promise<number> {
  let deaths = 0;
  let worker: ProductProcess | null = null;
  let died = false;
  await eventually(
    'all messages are finished',
    async () => {
      if (died) {
        worker = null;
        deaths += 1;
        died = false;
        // End the leases of the dead worker.
        await endLeases(world);
      }
      if (!worker) {
        // A worker that dies while it starts never reports that it has started.
        world.start('email', { NODE_OPTIONS: `--import=${PRELOAD}`, ...env }).catch(() => {});
        worker = world.processes.at(-1) ?? null;
        void worker?.exited.then(() => {
          died = true;
        });
      }
      await skipUnknownWait(world);
      return isSettledMail(event_id);
    },
    90_000,
  );
  const last = worker as ProductProcess | null;
  await last?.stop();
  return deaths;
}

const isSettledMail = async (event_id: string): Promise<boolean> => {
  const rows = await world.deliveries({ event_id, channel: 'email' });
  const open = ['waiting', 'claimed', 'sending', 'unknown'];
  return rows.length === MATES + POISON.length && rows.every(({ status }) => !open.includes(status));
};

const mailsOf = (event: string): OwnWorld => ({
  ...world,
  accepted: () => world.accepted().filter((line) => line.event === event),
});

row(
  'poison-text',
  'a mail that crashes its worker while it is rendered goes to quarantine, the others arrive, and it can be sent later',
  async () => {
    const id = await publish();
    expect(await runDying(id, { DEADLY_TEXT: '"poison-text"' })).toBe(3);
    // Others may be on a connection when the process dies first; from then on the mail is rendered alone.
    checkMails(mailsOf(id), addressesWith('poison-wire'));

    const { body } = await world.call('GET', QUARANTINE);
    const [held, ...more] = body.data as unknown as Record<string, unknown>[];
    expect(more).toEqual([]);
    expect(held).toMatchObject({
      event_id: id,
      user_id: 'poison-text',
      reason: 'crashed',
      crashes: 3,
      channel: 'email',
    });

    // The cause is corrected.
    const mended = await world.start('email');
    const redriven = await world.call('POST', `${QUARANTINE}/${held?.id}/redrive`);
    expect(redriven).toMatchObject({ status: 200, body: { status: 'waiting', reason: null } });
    await eventually('it is sent', async () => (await world.deliveries({ _id: held?.id }))[0]?.status === 'sent');
    await mended.stop();
    checkMails(mailsOf(id), [...addressesWith('poison-text'), 'poison-wire@people.example']);
    expect((await world.call('GET', QUARANTINE)).body.data).toEqual([]);
    expect((await world.call('POST', `${QUARANTINE}/${held?.id}/redrive`)).status).toBe(404);
    const timeline = await world.call('GET', `${E}/${id}/timeline`);
    const types = (timeline.body.data as unknown as { type: string }[]).map((fact) => fact.type);
    expect(types).toContain('delivery.redriven');
  },
);

row(
  'poison-wire',
  'a mail that crashes its worker while it is sent is tried twice, and no other is sent three times',
  async () => {
    const id = await publish();
    expect(await runDying(id, { DEADLY_WIRE: 'RCPT TO:<poison-wire@' })).toBe(2);
    // Mails on other connections when the process died first.
    checkMails(mailsOf(id), addressesWith('poison-text'));

    const { body } = await world.call('GET', QUARANTINE);
    const [held] = body.data as unknown as Record<string, unknown>[];
    expect(held).toMatchObject({ event_id: id, user_id: 'poison-wire', reason: 'crashed' });
    const discarded = await world.call('POST', `${QUARANTINE}/${held?.id}/discard`);
    expect(discarded).toMatchObject({ status: 200, body: { status: 'failed', reason: 'discarded' } });
    expect((await world.call('GET', QUARANTINE)).body.data).toEqual([]);
  },
);

const addressesWith = (user_id: string) => [...addresses, `${user_id}@people.example`];
