import { describe, expect, it, onTestFinished } from 'vitest';
import { emailChannel } from '../../../src/channels/email/email.ts';
import { parseSmtpUrl } from '../../../src/channels/email/smtp-address.ts';
import { smtpPool } from '../../../src/channels/email/smtp-pool.ts';
import { clock, outgoing, texts } from '../outgoing.ts';
import { drop, type Script, scriptedSmtp } from '../scripted-smtp.ts';

async function channelTo(
  script: Script = {},
  from = 'The School <school@school.example>',
  sign?: (raw: Buffer) => Promise<Buffer>,
) {
  const server = await scriptedSmtp(script);
  onTestFinished(async () => void (await server.close()));
  const pool = smtpPool({ address: parseSmtpUrl(`smtp://127.0.0.1:${server.port}`), sendTimeoutMs: 2000 });
  const channel = emailChannel({
    texts,
    servers: { mx: pool },
    sendTimeoutMs: 2000,
    from,
    messageIds: { of: (id) => `${id}.signed` },
    clock,
    ...(sign ? { sign } : {}),
  });
  onTestFinished(async () => void (await channel.close()));
  return { server, channel };
}

describe('e-mail', () => {
  it('is sent to each person separately and records the queue id of the server', async () => {
    const { server, channel } = await channelTo();
    const outcomes = await Promise.all(
      [
        outgoing({ id: 'd1', address: 'ada@home.example' }),
        outgoing({ id: 'd2', address: 'bob@home.example' }, { person: { name: 'Bob' } }),
      ].map(channel.send),
    );
    expect(outcomes).toEqual([
      { kind: 'accepted', provider_id: '4XyZ', provider: 'mx' },
      { kind: 'accepted', provider_id: '4XyZ', provider: 'mx' },
    ]);
    expect(server.commands).toContain('MAIL FROM:<school@school.example>');
    expect(server.texts.sort().map((text) => text.split('\r\n').slice(0, 2))).toEqual([
      ['Message-ID: <d1.signed@school.example>', 'To: ada@home.example'],
      ['Message-ID: <d2.signed@school.example>', 'To: bob@home.example'],
    ]);
  });

  it('is signed before it is sent, and is not sent if signing fails', async () => {
    const sign = async (raw: Buffer) => {
      if (raw.includes('bob@')) throw new Error('no signature');
      return Buffer.concat([Buffer.from('DKIM-Signature: v=1\r\n'), raw]);
    };
    const { server, channel } = await channelTo({}, undefined, sign);
    const outcomes = await Promise.all(
      [outgoing({ address: 'ada@home.example' }), outgoing({ address: 'bob@home.example' })].map(channel.send),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'unclassified']);
    expect(server.texts).toEqual([expect.stringMatching(/^DKIM-Signature: v=1\r\nMessage-ID: <d1\./)]);
  });

  it('reaches the others if it fails for one person, with outcomes in order', async () => {
    const { channel } = await channelTo();
    const outcomes = await Promise.all(
      [
        outgoing({ address: 'ada@home.example' }, { person: { name: 'Broken' } }),
        outgoing({ address: 'not an address' }),
        outgoing({ address: 'a@b.example>\r\nRCPT TO:<c@d.example' }),
        outgoing({ address: null }),
        outgoing({ address: 'bob@home.example' }),
      ].map(channel.send),
    );
    expect(outcomes.map((outcome) => outcome.kind)).toEqual([
      'unclassified',
      'bad_address',
      'bad_address',
      'bad_address',
      'accepted',
    ]);
    expect(JSON.stringify(outcomes)).not.toMatch(/example|Broken/);
  });

  it('takes its outcome from a refusal once the server has accepted a message', async () => {
    const { channel } = await channelTo({ rcpt: (nth) => (nth === 1 ? '250 ok' : '550 5.1.1 unknown') });
    await channel.send(outgoing({ address: 'bob@home.example' }));
    expect(await channel.send(outgoing({ address: 'ada@home.example' }))).toEqual({
      kind: 'bad_address',
      detail: 'smtp 550 5.1.1',
    });
  });

  it('is ambiguous if the answer was lost', async () => {
    const { channel } = await channelTo({ dot: drop });
    expect(await channel.send(outgoing({ address: 'ada@home.example' }))).toEqual({
      kind: 'ambiguous',
      detail: 'smtp dot ECONNECTION',
      provider: 'mx',
    });
  });

  it('requires a sender address', async () => {
    await expect(channelTo({}, 'The School')).rejects.toThrow('MAIL_FROM');
  });
});
