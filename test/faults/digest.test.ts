import PostalMime from 'postal-mime';
import { beforeAll, expect } from 'vitest';
import { OPEN_STATUSES } from '../../src/notifications/delivery.ts';
import { contactsOf, eventually, provideWorld, publishEvent, putPeople } from '../support/world.ts';
import { endLeases, skipUnknownWait } from './harness/checks.ts';
import { row } from './harness/row.ts';

const PEOPLE = 60;

const world = provideWorld({ start: ['api', 'relay', 'fan-out'], env: { LEASE_MS: '30000' } });
beforeAll(() => putPeople(world, contactsOf(PEOPLE, { locale: 'en' })));

async function setQuietHours(quiet_hours: { from: string; to: string } | null): Promise<void> {
  const school = { name: 'Lipová', timezone: 'UTC', locale: 'en', quiet_hours };
  expect((await world.call('PUT', '/api/v1/operations/school', school)).status).toBe(200);
}

/** Announces events in quiet hours, whose end then comes for all messages. */
async function publishAtNight(titles: readonly string[]): Promise<void> {
  const hour = (add: number) => `${String((new Date().getUTCHours() + add + 24) % 24).padStart(2, '0')}:00`;
  await setQuietHours({ from: hour(-1), to: hour(3) });
  const event_ids = await Promise.all(titles.map((title) => publishEvent(world, { title })));
  const held = { event_id: { $in: event_ids }, channel: 'email', status: 'waiting', digest_key: { $type: 'string' } };
  await eventually('all drafted', async () => (await world.deliveries(held)).length === PEOPLE * event_ids.length);
  await world.database.collection('deliveries').updateMany(held as never, { $set: { due_at: new Date(0) } });
  await setQuietHours(null);
}

row(
  'digest-kill',
  'a digest whose worker was killed is sent again as the same message, with no member added',
  async () => {
    await publishAtNight(['Choir', 'Fair', 'Trip']);
    // The server has the message, and no worker is left to receive its answer.
    world.smtp.misbehave((phase) => (phase === 'message' ? 'accept-then-hang' : undefined));
    const worker = await world.start('email');
    await eventually('some have left', () => world.smtp.count > 0);
    worker.send('SIGKILL');
    await worker.exited;
    world.smtp.misbehave(undefined);
    const inDoubt = new Set(world.smtp.messages.map((mail) => mail.to[0]));

    // Another message arrived meanwhile.
    await publishAtNight(['Lecture']);
    await endLeases(world);
    await world.start('email');
    await eventually(
      'all messages are finished',
      async () => {
        await skipUnknownWait(world);
        return (await world.deliveries({ status: { $in: OPEN_STATUSES }, channel: 'email' })).length === 0;
      },
      150_000,
    );

    const mails = await Promise.all(
      world.smtp.messages.map(async (mail) => ({ mail, parsed: await PostalMime.parse(mail.raw) })),
    );
    const titlesIn = (text = '') =>
      ['Choir', 'Fair', 'Trip', 'Lecture'].filter((title) => text.includes(title)).join('+');
    for (let n = 0; n < PEOPLE; n += 1) {
      const address = `person-${n}@people.example`;
      const own = mails.filter(({ mail }) => mail.to[0] === address).map(({ parsed }) => parsed);
      const kinds = new Map(own.map(({ messageId, text }) => [messageId, titlesIn(text)]));
      // Copies with one Message-ID have the same members, and no two Message-IDs have the same members.
      expect(new Set(own.map(({ messageId, text }) => `${messageId} ${titlesIn(text)}`)).size).toBe(kinds.size);
      expect([...kinds.values()].join('+').split('+').sort(), address).toEqual(['Choir', 'Fair', 'Lecture', 'Trip']);
      if (inDoubt.has(address)) expect([...kinds.values()].sort()).toEqual(['Choir+Fair+Trip', 'Lecture']);
      expect(own.length).toBeLessThanOrEqual(kinds.size + (inDoubt.has(address) ? 1 : 0));
    }
    const rows = await world.deliveries({ channel: 'email' });
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['sent']));
  },
);
