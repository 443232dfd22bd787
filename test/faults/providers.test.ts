import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { TwilioMisbehaviour } from '../../src/dev/stand-ins/twilio-stand-in.ts';
import {
  drop,
  hang,
  type Reply,
  type Script,
  type ScriptedSmtp,
  type Step,
  scriptedSmtp,
  USUAL,
} from '../channels/scripted-smtp.ts';
import { contactOf, E, type OwnWorld, publishEvent, putPeople, startWorld } from '../support/world.ts';
import { finishDeliveries } from './harness/checks.ts';
import { row } from './harness/row.ts';

/** More than one chunk of mail. */
const PEOPLE = 30;
const REGISTERED = 6;
/** Too few to open a circuit breaker, which has tests of its own. */
const TIMES = 3;

type SmtpFault = { step: Step; reply: Reply; copies: number; burnt: number };

/**
 * Answer of the server at the first three occurrences of a step, allowed second copies, and tries of each of the three
 * messages.
 */
const SMTP_FAULTS: Record<string, SmtpFault> = {
  'smtp-drop-greeting': { step: 'greeting', reply: drop, copies: 0, burnt: 0 },
  'smtp-drop-ehlo': { step: 'ehlo', reply: drop, copies: 0, burnt: 0 },
  'smtp-drop-mail': { step: 'mail', reply: drop, copies: 0, burnt: 0 },
  'smtp-451-mail': { step: 'mail', reply: '451 4.3.0 later', copies: 0, burnt: 1 },
  'smtp-drop-rcpt': { step: 'rcpt', reply: drop, copies: 0, burnt: 0 },
  'smtp-hang-rcpt': { step: 'rcpt', reply: hang, copies: 0, burnt: 0 },
  'smtp-450-rcpt': { step: 'rcpt', reply: '450 4.2.0 greylisted', copies: 0, burnt: 1 },
  'smtp-421-rcpt': { step: 'rcpt', reply: '421 4.3.2 bye', copies: 0, burnt: 0 },
  'smtp-drop-data': { step: 'data', reply: drop, copies: 0, burnt: 0 },
  'smtp-451-text': { step: 'dot', reply: '451 4.3.0 later', copies: TIMES, burnt: 1 },
  'smtp-drop-text': { step: 'dot', reply: drop, copies: TIMES, burnt: 1 },
  'smtp-hang-text': { step: 'dot', reply: hang, copies: TIMES, burnt: 1 },
};

const failing = (status: number, code: number, headers?: Record<string, string>): TwilioMisbehaviour => ({
  status,
  code,
  message: 'no',
  ...(headers ? { headers } : {}),
});
/** Twilio's answers to the first three requests. */
const TWILIO_FAULTS: Record<string, TwilioMisbehaviour> = {
  'twilio-429': failing(429, 20429, { 'retry-after': '1' }),
  'twilio-accept-500': 'accept-then-500',
  'twilio-accept-hang': 'accept-then-hang',
  'twilio-accept-drop': 'accept-then-drop',
  'twilio-500': failing(500, 20500),
  'twilio-503': failing(503, 20503),
  'twilio-hang': 'hang',
  'twilio-drop': 'drop',
};
const silent: Parameters<OwnWorld['twilio']['callBack']>[0] = () => [];

let world: OwnWorld;
let smtp: ScriptedSmtp;
const script: Script = {};
beforeAll(async () => {
  smtp = await scriptedSmtp(script);
  world = await startWorld({
    env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}?pool=5` },
  });
  await putPeople(
    world,
    Array.from({ length: PEOPLE }, (_, n) => contactOf(n, { phone: `+4206${String(n).padStart(8, '0')}` })),
  );
});
afterAll(async () => {
  await world?.end();
  await smtp?.close();
});
beforeEach(() => {
  for (const step of Object.keys(script) as Step[]) delete script[step];
  world.twilio.misbehave(undefined);
  world.twilio.callBack(undefined);
});

/** Waits until every message has a result, and skips delays of minutes. */
const settled = (id: string) => finishDeliveries(world, id);

const publish = (more: object) => publishEvent(world, { ...more });

for (const [name, { step, reply, copies, burnt }] of Object.entries(SMTP_FAULTS))
  row(
    name,
    'everyone receives a mail, and no one three, from a mail server that fails at this step',
    async ({ note }) => {
      const before = smtp.texts.length;
      let left = TIMES;
      smtp.dropAll();
      script[step] = () => (left-- > 0 ? reply : USUAL[step]);
      const id = await publish({ title: `When ${name}` });
      await settled(id);
      expect(left).toBeLessThanOrEqual(0);

      const texts = smtp.texts.slice(before);
      const people = new Set(texts.map((text) => /^To: (\S+)/m.exec(text)?.[1]));
      note({ copies: texts.length - PEOPLE });
      expect(people.size).toBe(PEOPLE);
      expect(texts.length - PEOPLE).toBe(copies);
      // A second copy has the Message-ID of the first.
      expect(new Set(texts.map((text) => /^Message-ID: (\S+)/m.exec(text)?.[1])).size).toBe(PEOPLE);
      const rows = await world.deliveries({ event_id: id, channel: 'email' });
      expect(rows.map(({ status }) => status)).toEqual(Array(PEOPLE).fill('sent'));
      const tries = rows.map((delivery) => delivery.attempts - 1);
      expect(tries.filter((one) => one > 0)).toEqual(burnt > 0 ? Array(TIMES).fill(burnt) : []);
    },
  );

row(
  'smtp-550',
  'addresses that a mail server refuses for good are suppressed, and the others receive their mail',
  async () => {
    const before = smtp.texts.length;
    let left = TIMES;
    script.rcpt = () => (left-- > 0 ? '550 5.1.1 unknown' : USUAL.rcpt);
    const first = await publish({ title: 'Some are unknown' });
    await settled(first);
    expect(smtp.texts.length - before).toBe(PEOPLE - TIMES);
    const reasons = async (id: string) =>
      (await world.deliveries({ event_id: id, channel: 'email', status: { $ne: 'sent' } })).map(({ reason }) => reason);
    expect(await reasons(first)).toEqual(Array(TIMES).fill('bad_address'));
    const second = await publish({ title: 'They are still unknown' });
    await settled(second);
    expect(await reasons(second)).toEqual(Array(TIMES).fill('suppressed'));
    await world.database.collection('suppressions').deleteMany({});
  },
);

/** Creates an event with six registered people whose numbers Twilio does not know yet. */
async function registered(): Promise<string> {
  const id = await publish({ registration_type: 'optional', target_audience: ['staff'] });
  for (let n = 0; n < REGISTERED; n++) {
    const { user_id } = contactOf(n);
    const answer = await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id });
    expect(answer.status).toBe(201);
  }
  return id;
}

/** Applies the fault to the first requests. @returns how many were affected */
function misbehaveAtFirst(what: TwilioMisbehaviour): () => number {
  let done = 0;
  world.twilio.misbehave(() => (done++ < TIMES ? what : undefined));
  return () => Math.min(done, TIMES);
}

for (const [name, what] of Object.entries(TWILIO_FAULTS))
  row(name, 'a cancellation arrives once by SMS although the provider fails at first', async ({ note }) => {
    const id = await registered();
    const before = world.twilio.count;
    world.twilio.callBack(silent);
    const done = misbehaveAtFirst(what);
    expect((await world.call('POST', `${E}/${id}/cancel`, { reason: 'Storm' })).status).toBe(200);
    await settled(id);
    expect(done()).toBe(TIMES);
    const recipients = world.twilio.messages.slice(-REGISTERED).map(({ to }) => to);
    note({ copies: world.twilio.count - before - REGISTERED });
    expect([world.twilio.count - before, new Set(recipients).size]).toEqual([REGISTERED, REGISTERED]);
    const rows = await world.deliveries({ event_id: id, channel: 'sms', trigger: 'event.cancelled' });
    expect(rows.map(({ status }) => status)).toEqual(Array(REGISTERED).fill('sent'));
  });

row('twilio-lost-routine', 'a routine SMS that the provider does not know is sent once or has failed', async () => {
  const id = await registered();
  const before = world.twilio.count;
  world.twilio.callBack(silent);
  misbehaveAtFirst('drop');
  const message = { subject: 'Boots', body: 'Bring them.', channels: ['sms'] };
  expect((await world.call('POST', `${E}/${id}/registrations/messages`, message)).status).toBe(202);
  await settled(id);
  const recipients = world.twilio.messages.slice(before - world.twilio.count).map(({ to }) => to);
  expect(new Set(recipients).size).toBe(recipients.length);
  const rows = await world.deliveries({ event_id: id, channel: 'sms', trigger: 'message' });
  const results = rows.map(({ status, address }) => `${status} ${recipients.includes(address ?? '')}`);
  expect(new Set(results)).not.toContain('sent_unconfirmed false');
  expect(results.filter((one) => one === 'sent true' || one === 'failed false')).toHaveLength(REGISTERED);
});
