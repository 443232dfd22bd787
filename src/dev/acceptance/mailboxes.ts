import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, readAllRows } from '../api-client.ts';
import type { System } from '../system.ts';
import type { ScriptedEvents } from './day.ts';
import type { Channel, Expectations, Expected } from './expectations.ts';
import { type Comparison, compare } from './findings.ts';
import { fromInbox, fromMail, fromPush, fromSms, type InboxEntry, type Received } from './received.ts';

/** All received messages, compared with the expected ones. */
export type Mailboxes = {
  compareNow(): Promise<State>;
  /** Waits until nothing is missing, at most `ms`. @returns new messages per channel since the last call */
  untilComplete(ms: number): Promise<Record<Channel, number>>;
};

export type State = Comparison & Expectations & { received: Received[] };

/**
 * @param tokens by user id
 * @param others events whose messages are left out of the comparison
 */
export function mailboxes(options: {
  ask: ApiClient;
  system: Pick<System, 'smtp' | 'twilio' | 'push'>;
  tokens: ReadonlyMap<string, string>;
  expectations: Expectations;
  events: Readonly<ScriptedEvents>;
  others: readonly { id: string; title: string }[];
  signal: AbortSignal;
}): Mailboxes {
  const { ask, system, tokens, expectations, events, others, signal } = options;
  const isOther = ({ event_id }: { event_id: string | null }) => others.some(({ id }) => id === event_id);
  /** entries by person and id; an entry stays received when the inbox hides it later */
  const inboxes = new Map<string, Map<string, Received>>();
  let mails: Received[] = [];
  let mailsRead = 0;
  /** no longer waited for */
  const givenUp = new Set<string>();
  let counted: Record<Channel, number> = { email: 0, sms: 0, push: 0, in_app: 0 };

  async function readMails(): Promise<void> {
    const fresh = system.smtp.messages.slice(mailsRead);
    mailsRead += fresh.length;
    const ours = fresh.filter(({ event }) => !isOther({ event_id: event }));
    mails = [...mails, ...(await Promise.all(ours.map(fromMail))).flat()];
  }

  async function readInboxes(ids: Iterable<string>): Promise<void> {
    await Promise.all(
      [...ids].map(async (id) => {
        const rows = await readAllRows<InboxEntry>(ask, tokens.get(id) ?? '', '/me/inbox');
        const known = inboxes.get(id) ?? new Map<string, Received>();
        inboxes.set(id, known);
        for (const row of rows) known.set(row.id, fromInbox(id, row));
      }),
    );
  }

  async function state(): Promise<State> {
    await readMails();
    const received = [
      ...mails,
      ...system.twilio.messages.map((sms) => fromSms(sms, [...events, ...others])),
      ...system.push.messages.map(fromPush),
      ...[...inboxes.values()].flatMap((entries) => [...entries.values()]),
    ].filter((message) => !isOther(message));
    const { expected, excluded } = expectations;
    return { ...compare(expected, excluded, received), ...expectations, received };
  }

  return {
    async compareNow() {
      await readInboxes(tokens.keys());
      return state();
    },
    async untilComplete(ms) {
      const until = Date.now() + ms;
      for (;;) {
        const { expected, arrivals, received } = await state();
        const missing = expected.filter((one, i) => arrivals[i]?.length === 0 && !givenUp.has(keyOf(one)));
        if (missing.length === 0 || Date.now() > until) {
          for (const one of missing) givenUp.add(keyOf(one));
          const before = counted;
          counted = countOf(received);
          return mapChannels((channel) => counted[channel] - before[channel]);
        }
        // Inboxes cost an HTTP request each, so they are read once the other channels are complete.
        const inApp = missing.filter(({ channel }) => channel === 'in_app');
        if (inApp.length === missing.length) await readInboxes(new Set(inApp.map(({ address }) => address)));
        await delay(100, undefined, { signal });
      }
    },
  };
}

const mapChannels = <T>(of: (channel: Channel) => T): Record<Channel, T> => ({
  email: of('email'),
  sms: of('sms'),
  push: of('push'),
  in_app: of('in_app'),
});

const countOf = (received: readonly Received[]): Record<Channel, number> =>
  mapChannels((channel) => received.filter((message) => message.channel === channel).length);

const keyOf = ({ channel, address, event_id, trigger, since }: Expected): string =>
  [channel, address, event_id, trigger, since].join(' ');
