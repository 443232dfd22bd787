import type { Clock } from '../../core/clock.ts';
import type { Outgoing } from '../../notifications/content/message.ts';
import type { Outcome } from '../../notifications/delivery/outcome.ts';
import type { ChannelAdapter, InboxStore, NewInboxEntry } from '../../notifications/ports.ts';
import type { Texts } from '../templates/catalogue.ts';

export type InAppChannelOptions = {
  texts: Pick<Texts, 'inApp'>;
  inbox: Pick<InboxStore, 'insertMany'>;
  clock: Clock;
  /** the store's own limits hold; this is the last resort */
  sendTimeoutMs: number;
};

/** What a message is in an inbox. */
export const inboxEntryOf =
  (texts: InAppChannelOptions['texts']) =>
  ({ delivery, content, person }: Outgoing, created_at: Date): NewInboxEntry => ({
    id: delivery.id,
    tenant_id: delivery.tenant_id,
    school_id: delivery.school_id,
    user_id: delivery.user_id,
    event_id: delivery.event_id,
    trigger: delivery.trigger,
    ...texts.inApp(content).fill(person),
    url: content.event.url,
    created_at,
    read_at: null,
  });

/** Messages in the inbox: one write for all of them, exactly once per delivery. */
export function inAppChannel({ texts, inbox, clock, sendTimeoutMs }: InAppChannelOptions): ChannelAdapter {
  const entryOf = inboxEntryOf(texts);

  async function send(messages: readonly Outgoing[]): Promise<Outcome[]> {
    const now = clock.now();
    const entries = messages.map((message) => {
      try {
        return entryOf(message, now);
      } catch {
        return null;
      }
    });
    const written = await insert(entries.filter((entry) => entry !== null));
    return entries.map((entry) => (entry ? written : { kind: 'unclassified', detail: 'in_app text' }));
  }

  async function insert(entries: NewInboxEntry[]): Promise<Outcome> {
    if (entries.length === 0) return { kind: 'accepted' };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Outcome>((resolve) => {
      // a repeat of what was written after all changes nothing: the delivery's id is the entry's
      timer = setTimeout(() => resolve({ kind: 'infrastructure', detail: 'inbox ETIMEDOUT' }), sendTimeoutMs);
    });
    const written = inbox.insertMany(entries).then(
      (): Outcome => ({ kind: 'accepted' }),
      (): Outcome => ({ kind: 'infrastructure', detail: 'inbox write' }),
    );
    const outcome = await Promise.race([written, late]);
    clearTimeout(timer);
    return outcome;
  }

  return { channel: 'in_app', capacity: 400, chunk: 100, send, close: async () => {} };
}
