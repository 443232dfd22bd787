import type { Clock } from '../../core/clock.ts';
import type { ChannelAdapter, ProviderNotice } from '../../notifications/channel-adapter.ts';
import type { Outgoing } from '../../notifications/content/message.ts';
import type { Outcome } from '../../notifications/outcome.ts';
import { ruleOf } from '../../notifications/policy/trigger-table.ts';
import type { MessageIds } from '../../notifications/providers/message-ids.ts';
import { type CallLimits, failover } from '../failover.ts';
import type { Texts } from '../templates/catalogue.ts';
import { digestMail } from '../templates/digest.ts';
import { addrSpec, BadAddress, senderAddress } from '../templates/mail-encoding.ts';
import type { SmtpMessage, SmtpResult } from './smtp-connections.ts';
import { smtpOutcome } from './smtp-outcome.ts';
import type { SmtpPool } from './smtp-pool.ts';

type EmailChannelOptions = {
  texts: Pick<Texts, 'email' | 'inApp'>;
  /** the servers by name: the primary, then its fallbacks in order */
  servers: Readonly<Record<string, SmtpPool>>;
  sendTimeoutMs: number;
  notice?: (notice: ProviderNotice) => void;
  /** MAIL_FROM: a bare address or `Name <a@b>`, whose domain is that of the Message-IDs */
  from: string;
  messageIds: Pick<MessageIds, 'of'>;
  clock: Clock;
  /** puts a DKIM signature above a message; by default messages are not signed */
  sign?: (raw: Buffer) => Promise<Buffer>;
};

/** Mail over SMTP, one message per person. @throws Error if MAIL_FROM holds no address */
export function emailChannel(options: EmailChannelOptions): ChannelAdapter {
  const { texts, from, messageIds, clock, sign } = options;
  const pools = Object.values(options.servers);
  const names = Object.keys(options.servers);
  const servers: Record<string, Server> = Object.fromEntries(
    Object.entries(options.servers).map(([name, pool]) => [name, { pool, verify: verifyFirstRefusals() }]),
  );
  const providers = failover({ ...options, names });
  const envelopeFrom = bareSender(from);
  const sender = { from, messageDomain: envelopeFrom.split('@').at(-1) ?? '' };

  function messageOf(outgoing: Outgoing, address: string): SmtpMessage {
    const { delivery, content, person, attendee, parts, sent_as } = outgoing;
    const to = { address, messageId: messageIds.of(sent_as ?? delivery.id), date: clock.now() };
    const titled = parts?.map((part) => ({ ...part, title: texts.inApp(part.content).fill(part.person).title }));
    const raw = titled
      ? Buffer.from(digestMail(titled, sender, to))
      : texts.email(content, sender).fill({ ...to, person, attendee, draftedAt: delivery.created_at });
    return { from: envelopeFrom, to: addrSpec(address), raw };
  }

  async function send(outgoing: Outgoing): Promise<Outcome> {
    const { address } = outgoing.delivery;
    if (address === null) return { kind: 'bad_address', detail: 'email address' };
    let message: SmtpMessage;
    try {
      message = messageOf(outgoing, address);
      if (sign) message.raw = await sign(message.raw);
    } catch (error) {
      if (error instanceof BadAddress) return { kind: 'bad_address', detail: 'email address' };
      return { kind: 'unclassified', detail: 'email text' };
    }
    const { urgent } = ruleOf(outgoing.delivery.trigger);
    const call = async ({ pool, verify }: Server, limits: CallLimits) =>
      verify(outcomeOf(await pool.send(message, { ...limits, urgent })), address);
    return providers.send(servers, call, { urgent, recipient: address, check });
  }

  return {
    channel: 'email',
    capacity: Math.max(...pools.map(({ connections }) => connections)),
    digests: true,
    send,
    availability: (urgent) => providers.availability(names, urgent),
    breakers: providers.breakers,
    close: async () => void (await Promise.all(pools.map((pool) => pool.close()))),
  };
}

/** A mail server, and the check of what it refuses first. */
type Server = { pool: SmtpPool; verify: ReturnType<typeof verifyFirstRefusals> };

const outcomeOf = (result: SmtpResult): Outcome =>
  result.accepted ? { kind: 'accepted', provider_id: queueIdOf(result.response) } : smtpOutcome(result.failure);

async function check({ pool }: Server, withinMs: number): Promise<Outcome | null> {
  const failure = await pool.check(withinMs);
  return failure && smtpOutcome(failure);
}

function bareSender(from: string): string {
  try {
    return senderAddress(from);
  } catch {
    throw new Error('MAIL_FROM must be an address, or a name and an address in angle brackets');
  }
}

/** The server's queue id, if its reply contains one: the mail server's operator finds the message by it. */
const queueIdOf = (response: string): string | undefined => /\bqueued as ([\w.-]{1,40})/i.exec(response)?.[1];

/** If a server refuses this many first recipients alike, it refuses our account and not the recipients. */
const RECIPIENTS = 20;
/** A school may write to fewer people: after this time a repeated refusal of a recipient is final. */
const FINAL_AFTER_MS = 3 * 60_000;
/** Retries of remembered recipients don't count as new recipients. */
const MAX_REMEMBERED = 1_000;

/** The code of a permanent refusal by the server, or null. */
function refusalIn(outcome: Outcome): string | null {
  const { kind } = outcome;
  if (kind !== 'bad_address' && kind !== 'mailbox_full' && kind !== 'refused') return null;
  return /^smtp \d/.test(outcome.detail) ? outcome.detail : null;
}

/**
 * Verifies the permanent refusals of a server that has not accepted any message yet, because a misconfigured server may
 * refuse everyone: the delivery is retried first, and the same refusal for 20 recipients counts as a configuration error.
 * Any failure of the server starts the verification again.
 *
 * @param now a steady clock in milliseconds; for tests
 */
export function verifyFirstRefusals(now: () => number = () => performance.now()) {
  let isTrusted = false;
  /** the first refusal, and when each recipient first got it */
  let first: string | null = null;
  const refusedAt = new Map<string, number>();

  function trust(): void {
    isTrusted = true;
    first = null;
    refusedAt.clear();
  }

  /** @returns the outcome to act on */
  return (outcome: Outcome, recipient: string): Outcome => {
    if (outcome.kind === 'accepted') trust();
    if (outcome.kind === 'configuration' || (outcome.kind === 'infrastructure' && !outcome.of)) isTrusted = false;
    const detail = refusalIn(outcome);
    if (isTrusted || detail === null) return outcome;
    first ??= detail;
    // A server that refuses recipients for different reasons knows its recipients.
    if (detail !== first) {
      trust();
      return outcome;
    }
    const at = now();
    const since = refusedAt.get(recipient) ?? at;
    if (refusedAt.size < MAX_REMEMBERED) refusedAt.set(recipient, since);
    if (refusedAt.size >= RECIPIENTS) return { kind: 'configuration', detail: `${detail} for every recipient` };
    return at - since >= FINAL_AFTER_MS ? outcome : { kind: 'configuration', detail, of: 'recipient' };
  };
}
