import { describe, expect, it } from 'vitest';
import { inAppChannel } from '../../../src/channels/in-app/in-app.ts';
import type { InboxEntry } from '../../../src/notifications/ports.ts';
import { clock, NOW, outgoing, texts } from '../outgoing.ts';

function channelInto(insertMany: (entries: readonly InboxEntry[]) => Promise<void>) {
  return inAppChannel({ texts, inbox: { insertMany }, clock, sendTimeoutMs: 50 });
}

describe('in-app messages', () => {
  it('are written to the inbox in one batch', async () => {
    const writes: (readonly InboxEntry[])[] = [];
    const channel = channelInto(async (entries) => {
      writes.push(entries);
    });
    const outcomes = await channel.send([
      outgoing({ id: 'd1' }),
      outgoing({ id: 'd2', user_id: 'u2' }, { person: { name: 'Bob' } }),
    ]);
    expect(outcomes).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }]);
    expect(writes).toHaveLength(1);
    expect(writes[0]?.[1]).toEqual({
      id: 'd2',
      tenant_id: 't1',
      school_id: 's1',
      user_id: 'u2',
      event_id: 'e1',
      trigger: 'event.published',
      title: 'Concert',
      body: 'Dear Bob',
      url: 'https://school.example/events/e1',
      created_at: NOW,
      read_at: null,
    });
  });

  it('are left out of the batch if their text fails', async () => {
    const written: string[] = [];
    const channel = channelInto(async (entries) => {
      written.push(...entries.map((entry) => entry.id));
    });
    const outcomes = await channel.send([
      outgoing({ id: 'd1' }, { person: { name: 'Broken' } }),
      outgoing({ id: 'd2' }),
    ]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['unclassified', 'accepted']);
    expect(written).toEqual(['d2']);
  });

  it('wait if the store fails or does not answer', async () => {
    const failing = channelInto(() => Promise.reject(new Error('mongodb://user:secret@host')));
    const silent = channelInto(() => new Promise(() => {}));
    expect(await failing.send([outgoing(), outgoing()])).toEqual([
      { kind: 'infrastructure', detail: 'inbox write' },
      { kind: 'infrastructure', detail: 'inbox write' },
    ]);
    expect(await silent.send([outgoing()])).toEqual([{ kind: 'infrastructure', detail: 'inbox ETIMEDOUT' }]);
  });
});
