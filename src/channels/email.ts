import type { Clock } from '../kernel/clock.ts';
import type { Outgoing } from '../notifications/message.ts';
import type { Outcome } from '../notifications/outcome.ts';
import type { ChannelAdapter } from '../notifications/ports.ts';
import { ruleOf } from '../notifications/trigger.ts';
import type { ProviderChoice } from './provider-choice.ts';
import type { SmtpMessage } from './smtp-mail.ts';
import { smtpOutcome } from './smtp-outcome.ts';
import type { SmtpPool } from './smtp-pool.ts';
import { addrSpec, BadAddress } from './texts/addr-spec.ts';
import type { Texts } from './texts/catalogue.ts';
import { digestMail } from './texts/digest.ts';
import { senderAddress } from './texts/mail-headers.ts';

export type EmailChannelOptions = {
  texts: Pick<Texts, 'email'>;
  /** the servers by name; one of them carries each message */
  servers: Readonly<Record<string, SmtpPool>>;
  choice: ProviderChoice;
  /** MAIL_FROM: a bare address or `Name <a@b>` */
  from: string;
  /** what stands behind the @ of a Message-ID */
  messageDomain: string;
  clock: Clock;
};

/**
 * Mail over SMTP, one message per person.
 *
 * @throws Error where MAIL_FROM holds no address
 */
export function emailChannel(options: EmailChannelOptions): ChannelAdapter {
  const { texts, servers, choice, from, messageDomain, clock } = options;
  const names = Object.keys(servers);
  const sender = { from, messageDomain };
  const envelopeFrom = bareSender(from);

  function messageOf({ delivery, content, person, parts, message_id }: Outgoing, address: string): SmtpMessage {
    const deliveryId = message_id ?? delivery.id;
    if (parts) {
      const text = digestMail(parts, sender, { address, deliveryId, date: clock.now() });
      return { from: envelopeFrom, to: addrSpec(address), raw: Buffer.from(text) };
    }
    const prepared = texts.email(content, sender);
    return {
      from: envelopeFrom,
      to: addrSpec(address),
      raw: prepared.bytes({
        address,
        person,
        deliveryId,
        date: clock.now(),
        unsubscribeUrl: person.unsubscribe_url,
      }),
    };
  }

  async function sendOne(outgoing: Outgoing): Promise<Outcome> {
    const { address } = outgoing.delivery;
    if (address === null) return { kind: 'bad_address', detail: 'email address' };
    let message: SmtpMessage;
    try {
      message = messageOf(outgoing, address);
    } catch (error) {
      if (error instanceof BadAddress) return { kind: 'bad_address', detail: 'email address' };
      return { kind: 'unclassified', detail: 'email text' };
    }
    const { urgent } = ruleOf(outgoing.delivery.trigger);
    return choice.send(names, (name, withinMs) => handOver(name, message, withinMs, urgent), urgent);
  }

  async function handOver(name: string, message: SmtpMessage, withinMs: number, urgent: boolean): Promise<Outcome> {
    const result = await servers[name]?.send(message, withinMs, urgent);
    if (!result) return { kind: 'unclassified', detail: 'email server' };
    if (!result.accepted) return smtpOutcome(result.failure);
    const provider_id = queueIdOf(result.response);
    return provider_id ? { kind: 'accepted', provider_id } : { kind: 'accepted' };
  }

  return {
    channel: 'email',
    chunk: 25,
    digests: true,
    send: (messages) => Promise.all(messages.map(sendOne)),
    room: (urgent) => choice.room(names, urgent),
    choice,
    close: async () => void (await Promise.all(Object.values(servers).map((pool) => pool.close()))),
  };
}

function bareSender(from: string): string {
  try {
    return senderAddress(from);
  } catch {
    throw new Error('MAIL_FROM must be an address, or a name and an address in angle brackets');
  }
}

/** The id under which the server keeps the message, where it tells one: what its operator asks for first. */
const queueIdOf = (response: string): string | undefined => /\bqueued as ([\w.-]{1,40})/i.exec(response)?.[1];
