import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TwilioMisbehaviour, TwilioStandIn } from '../../src/local/twilio-stand-in.ts';
import { contactStore } from '../../src/stores/contact-store.ts';
import {
  drop,
  type Reply,
  type Script,
  type ScriptedSmtp,
  type Step,
  scriptedSmtp,
  USUAL,
} from '../channels/scripted-smtp.ts';
import { contactOf, draft, startWorld, type World } from '../support/world.ts';
import { everythingSettled } from './checks.ts';

const E = '/api/v1/operations/events';
/** More than one chunk of mail. */
const PEOPLE = 30;
const REGISTERED = 6;
/** Below what opens a breaker, which has tests of its own. */
const TIMES = 3;

// Each: what the server does the first three times it comes to a step, how many copies more than people there may be,
// and how many tries that cost.
const PHASES: [string, Step, Reply, { extra: number; burnt: number }][] = [
  ['drops at the greeting', 'greeting', drop, { extra: 0, burnt: 0 }],
  ['drops at EHLO', 'ehlo', drop, { extra: 0, burnt: 0 }],
  ['drops at MAIL', 'mail', drop, { extra: 0, burnt: 0 }],
  ['says 451 to MAIL', 'mail', '451 4.3.0 later', { extra: 0, burnt: 1 }],
  ['drops at RCPT', 'rcpt', drop, { extra: 0, burnt: 0 }],
  ['says 450 to RCPT', 'rcpt', '450 4.2.0 greylisted', { extra: 0, burnt: 1 }],
  ['says 421 to RCPT', 'rcpt', '421 4.3.2 bye', { extra: 0, burnt: 0 }],
  ['drops at DATA', 'data', drop, { extra: 0, burnt: 0 }],
  ['says 451 after the text', 'dot', '451 4.3.0 later', { extra: TIMES, burnt: 1 }],
  ['drops after the text', 'dot', drop, { extra: TIMES, burnt: 1 }],
];

const failing = (status: number, code: number, headers?: Record<string, string>): TwilioMisbehaviour => ({
  status,
  code,
  message: 'no',
  ...(headers ? { headers } : {}),
});
const SMS_FAULTS: [string, TwilioMisbehaviour][] = [
  ['says 429', failing(429, 20429, { 'retry-after': '1' })],
  ['takes it and answers 500', 'accept-then-500'],
  ['takes it and never answers', 'accept-then-hang'],
  ['takes it and drops', 'accept-then-drop'],
  ['answers 500', failing(500, 20500)],
  ['answers 503', failing(503, 20503)],
  ['never answers', 'hang'],
  ['drops', 'drop'],
];
const silent: Parameters<TwilioStandIn['callBack']>[0] = () => [];

/** What is tried of either table: the rows by these names, or every one. */
export type Tried = { mail: readonly string[] | 'all'; sms: readonly string[] | 'all' };

const tried = <Row extends [string, ...unknown[]]>(rows: readonly Row[], names: readonly string[] | 'all'): Row[] =>
  rows.filter(([name]) => names === 'all' || names.includes(name));

/** Servers that misbehave at first, each in a way of its own: nobody is left out, nobody hears it too often. */
export function providerFaults(only: Tried): void {
  let world: World;
  let smtp: ScriptedSmtp;
  const script: Script = {};
  beforeAll(async () => {
    smtp = await scriptedSmtp(script);
    world = await startWorld({
      start: ['api', 'relay', 'fan-out', 'email', 'sms', 'in-app', 'push'],
      env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}?pool=5` },
    });
    await contactStore(world.database).putMany(
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

  /** Everything has come to an end; waits of minutes pass at once. */
  const settled = (id: string) => everythingSettled(world, id);

  async function publish(more: Record<string, unknown> = {}): Promise<string> {
    const { body } = await world.call('POST', E, draft(more));
    expect((await world.call('POST', `${E}/${body.id}/publish`)).status).toBe(200);
    return String(body.id);
  }

  test.each(tried(PHASES, only.mail))(
    'a mail server that %s: nobody is left out, nobody hears it three times',
    async (_name, step, bad, may) => {
      const before = smtp.texts.length;
      let left = TIMES;
      smtp.dropAll();
      script[step] = () => (left-- > 0 ? bad : USUAL[step]);
      const id = await publish({ title: `When it ${_name}` });
      await settled(id);
      expect(left).toBeLessThanOrEqual(0);

      const texts = smtp.texts.slice(before);
      const heard = texts.map((text) => /^To: (\S+)/m.exec(text)?.[1]);
      const people = new Set(heard);
      expect(people.size).toBe(PEOPLE);
      expect(texts.length - PEOPLE).toBe(may.extra);
      // A second copy is under the Message-ID of the first.
      expect(new Set(texts.map((text) => /^Message-ID: (\S+)/m.exec(text)?.[1])).size).toBe(PEOPLE);
      const rows = await world.deliveries({ event_id: id, channel: 'email' });
      expect(rows.map(({ status }) => status)).toEqual(Array(PEOPLE).fill('sent'));
      const tries = rows.map((row) => row.attempts - 1);
      expect(tries.filter((one) => one > 0)).toEqual(may.burnt > 0 ? Array(TIMES).fill(may.burnt) : []);
    },
  );

  test('a mail server that refuses addresses for good: the others arrive, and those are left alone', async () => {
    const before = smtp.texts.length;
    let left = TIMES;
    script.rcpt = () => (left-- > 0 ? '550 5.1.1 unknown' : USUAL.rcpt);
    const first = await publish({ title: 'Some are unknown' });
    await settled(first);
    expect(smtp.texts.length - before).toBe(PEOPLE - TIMES);
    const reasons = async (id: string) =>
      (await world.deliveries({ event_id: id, channel: 'email', status: { $ne: 'sent' } })).map((row) => row.reason);
    expect(await reasons(first)).toEqual(Array(TIMES).fill('bad_address'));
    const second = await publish({ title: 'They are still unknown' });
    await settled(second);
    expect(await reasons(second)).toEqual(Array(TIMES).fill('suppressed'));
    await world.database.collection('suppressions').deleteMany({});
  }, 180_000);

  /** An event six people are registered for, whose numbers Twilio has not heard of yet. */
  async function registered(): Promise<string> {
    const id = await publish({ registration_type: 'optional', target_audience: ['staff'] });
    for (let n = 0; n < REGISTERED; n++) {
      const { user_id } = contactOf(n);
      const answer = await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id });
      expect(answer.status).toBe(201);
    }
    return id;
  }

  /** Does it to the first requests; @returns how many it was done to */
  function misbehaveAtFirst(what: TwilioMisbehaviour): () => number {
    let done = 0;
    world.twilio.misbehave(() => (done++ < TIMES ? what : undefined));
    return () => Math.min(done, TIMES);
  }

  test.each(tried(SMS_FAULTS, only.sms))(
    'an SMS provider that %s: a cancellation comes once',
    async (_name, what) => {
      const id = await registered();
      const before = world.twilio.count;
      world.twilio.callBack(silent);
      const done = misbehaveAtFirst(what);
      expect((await world.call('POST', `${E}/${id}/cancel`, { reason: 'Storm' })).status).toBe(200);
      await settled(id);
      expect(done()).toBe(TIMES);
      const heard = world.twilio.messages.slice(-REGISTERED).map(({ to }) => to);
      expect([world.twilio.count - before, new Set(heard).size]).toEqual([REGISTERED, REGISTERED]);
      const rows = await world.deliveries({ event_id: id, channel: 'sms', trigger: 'event.cancelled' });
      expect(rows.map((row) => row.status)).toEqual(Array(REGISTERED).fill('sent'));
    },
    90_000,
  );

  test('an SMS that nobody knows of is not sent again where it is no news', async () => {
    const id = await registered();
    const before = world.twilio.count;
    world.twilio.callBack(silent);
    misbehaveAtFirst('drop');
    const message = { subject: 'Boots', body: 'Bring them.', channels: ['sms'] };
    expect((await world.call('POST', `${E}/${id}/registrations/messages`, message)).status).toBe(202);
    await settled(id);
    expect(world.twilio.count - before).toBe(REGISTERED - TIMES);
    const rows = await world.deliveries({ event_id: id, channel: 'sms', status: { $ne: 'sent' } });
    expect(rows.map((row) => row.status)).toEqual(Array(TIMES).fill('sent_unconfirmed'));
  }, 180_000);
}
