import { describe, expect, onTestFinished, test } from 'vitest';
import { failover } from '../../../src/channels/failover.ts';
import { twilioClient } from '../../../src/channels/sms/twilio-client.ts';
import { whatsAppChannel } from '../../../src/channels/whatsapp/whatsapp.ts';
import { startTwilioStandIn } from '../../../src/dev/stand-ins/twilio-stand-in.ts';
import { clock, NOW, outgoing } from '../outgoing.ts';

const ENGLISH = `HX${'1'.repeat(32)}`;
const ANY = `HX${'2'.repeat(32)}`;

async function opened() {
  const twilio = await startTwilioStandIn();
  twilio.callBack(() => []);
  const { accountSid, authToken, url: apiUrl } = twilio;
  const channel = whatsAppChannel({
    twilio: twilioClient({ accountSid, authToken, apiUrl }, 2000, clock),
    from: '+420111222333',
    templates: new Map([
      ['event.published.en', ENGLISH],
      ['message', ANY],
    ]),
    failover: failover({ sendTimeoutMs: 2000 }),
    publicUrl: 'https://school.example/base',
  });
  onTestFinished(twilio.stop);
  onTestFinished(channel.close);
  return { twilio, channel };
}

const toAda = (delivery = {}, content = {}) =>
  outgoing(
    { id: 'd1', fence: 3, address: '+420777123456', ...delivery },
    { content: { channel: 'whatsapp', ...content } },
  );
const paramsOf = ({ messages }: Awaited<ReturnType<typeof startTwilioStandIn>>) => messages.map(({ params }) => params);

describe('a WhatsApp message', () => {
  test('is sent as an approved template with its variables, between WhatsApp addresses', async () => {
    const { twilio, channel } = await opened();
    expect(await channel.send(toAda())).toMatchObject({ kind: 'accepted', provider: 'twilio-whatsapp' });
    const [params] = paramsOf(twilio);
    expect(params).toMatchObject({
      From: 'whatsapp:+420111222333',
      To: 'whatsapp:+420777123456',
      ContentSid: ENGLISH,
      StatusCallback: 'https://school.example/base/callbacks/twilio/d1?fence=3',
    });
    expect(params).not.toHaveProperty('Body');
    expect(JSON.parse(params?.ContentVariables ?? '')).toMatchObject({ 1: 'Concert', 2: 'Monday', 6: 'Ada' });
  });

  test('has no empty, long or broken variables, because WhatsApp refuses them', async () => {
    const { twilio, channel } = await opened();
    const message = { subject: 'A', body: `B\nC${'c'.repeat(2000)}` };
    await channel.send(toAda({ trigger: 'message' }, { message }));
    const variables: Record<string, string> = JSON.parse(paramsOf(twilio)[0]?.ContentVariables ?? '');
    expect(variables).toMatchObject({ 4: '–', 9: 'A', 10: expect.stringMatching(/^B Cc+…$/) });
    const lengths = Object.values(variables).map((value) => value.length);
    expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([1, 300]);
  });

  test('has an indented list in one line without rows of blanks, because Twilio refuses more than four', async () => {
    const { twilio, channel } = await opened();
    const message = {
      subject: 'To bring',
      body: 'Please bring:\n    - boots\n\n    - a\u00a0\u00a0\u00a0\u00a0\u00a0snack',
    };
    await channel.send(toAda({ trigger: 'message' }, { message }));
    expect(JSON.parse(paramsOf(twilio)[0]?.ContentVariables ?? '')).toMatchObject({
      10: 'Please bring: - boots - a snack',
    });
  });

  test('uses the template of its trigger if there is none in its language', async () => {
    const { twilio, channel } = await opened();
    await channel.send(toAda({ trigger: 'message' }, { locale: 'cs' }));
    expect(paramsOf(twilio)).toMatchObject([{ ContentSid: ANY }]);
  });

  test.each([
    ['event.cancelled', 'en'],
    ['event.published', 'cs'],
  ] as const)('is not sent without a template for %s in %s', async (trigger, locale) => {
    const { twilio, channel } = await opened();
    expect(await channel.send(toAda({ trigger }, { locale }))).toEqual({
      kind: 'no_template',
      detail: `whatsapp ${trigger}.${locale}`,
    });
    expect(twilio.messages).toEqual([]);
  });

  test('to a number without WhatsApp has no account', async () => {
    const { twilio, channel } = await opened();
    twilio.misbehave(() => ({ status: 400, code: 63003, message: 'no WhatsApp here' }));
    expect(await channel.send(toAda())).toEqual({ kind: 'no_account', detail: 'twilio 63003' });
  });

  test('is not sent to an address that is no number', async () => {
    const { twilio, channel } = await opened();
    expect(await channel.send(toAda({ address: '777' }))).toEqual({ kind: 'bad_address', detail: 'whatsapp number' });
    expect(twilio.messages).toEqual([]);
  });

  test('names its own sender when Twilio reports a STOP', async () => {
    const { twilio, channel } = await opened();
    twilio.misbehave(() => ({ status: 400, code: 21610, message: 'STOP' }));
    expect(await channel.send(toAda())).toEqual({
      kind: 'opted_out',
      detail: 'twilio 21610',
      sender: 'whatsapp:+420111222333',
    });
  });

  test('of unknown outcome was not sent if Twilio has none to this number, and stays unknown if it has one', async () => {
    const { twilio, channel } = await opened();
    expect(await channel.find?.(toAda(), NOW)).toBeNull();
    twilio.misbehave(() => 'accept-then-drop');
    expect(await channel.send(toAda())).toMatchObject({ kind: 'ambiguous' });
    await expect(channel.find?.(toAda(), NOW)).rejects.toThrow('twilio list');
  });
});
