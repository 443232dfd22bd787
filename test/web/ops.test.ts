import { afterAll, beforeAll, expect, it } from 'vitest';
import { deliveryStore } from '../../src/mongo/notifications/delivery-store.ts';
import { aDelivery, aFact } from '../support/message-builders.ts';
import { draft, type OwnWorld, startWorld } from '../support/world.ts';
import { axeFaults, describeWeb, newName, openSite, PHONE, provideOpened } from './support/browser.ts';
import { provideSharedPage } from './support/shared-page.ts';
import { createEvent } from './support/site-events.ts';

describeWeb('the delivery page', () => {
  let product: OwnWorld;
  const world = provideOpened(async () => {
    // No worker may send what waits here.
    product = await startWorld({ start: ['api'], env: { QUEUE_BOARD: 'on' } });
    return openSite(product);
  });
  const open = provideSharedPage(world);
  let event_id: string;
  beforeAll(async () => {
    event_id = await createEvent(world, draft(), []);
    const one = { ...world.scope, event_id, channel: 'email' as const, urgent: false, address: 'eva@home.example' };
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    await deliveryStore(world.database).insertMany([
      aDelivery({ ...one, id: 'w1', name: 'Eva Nová', status: 'waiting', due_at: at(-5), created_at: at(-5) }),
      aDelivery({
        ...one,
        id: 's1',
        name: 'Jan Malý',
        status: 'sent',
        attempts: 2,
        detail: 'sent',
        created_at: at(-9),
      }),
    ]);
  });
  afterAll(() => product?.end());

  it('shows queue lengths and ages, and messages without recipients, reveals one and logs it, and passes axe', async () => {
    const page = await open('/ops?tab=unknown');
    const email = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Email', exact: true }) });
    await email.getByText(/oldest: \d+\smin/).waitFor();
    await page.getByText('E. N.').waitFor();
    expect(await page.getByRole('main').textContent()).not.toMatch(/Nová|Malý|eva@/);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel('Status').selectOption({ label: 'Sent' });
    await page.getByText('2 attempts · handed to the phone network').waitFor();
    await expect.poll(() => page.getByText('E. N.').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('?status=sent');
    await page.getByRole('button', { name: 'Show recipient: J. M.' }).click();
    await page.getByText('Jan Malý · eva@home.example').waitFor();
    const { body } = await world.call('GET', `/api/v1/operations/events/${event_id}/timeline`);
    expect(JSON.stringify(body)).toContain('delivery.revealed');
    await page.getByRole('button', { name: 'Clear 1 filter' }).click();
    await page.getByText('E. N.').waitFor();
  });

  it('stays where it is on a phone when a filter changes', async () => {
    const page = await world.visit('/ops', { viewport: PHONE });
    await page.getByText('E. N.').waitFor();
    await page.getByLabel('Status').scrollIntoViewIfNeeded();
    const isDown = () => page.evaluate(() => window.scrollY > 0);
    expect(await isDown()).toBe(true);
    await page.getByLabel('Status').selectOption({ label: 'Sent' });
    await expect.poll(() => page.getByText('E. N.').count()).toBe(0);
    expect(await isDown()).toBe(true);
    await page.getByRole('button', { name: 'Clear 1 filter' }).click();
    await page.getByText('E. N.').waitFor();
    expect(await isDown()).toBe(true);
  });

  it('opens the board of the queues, which is closed without a cookie', async () => {
    const closed = await fetch(`${world.apiUrl}/ops/queues`);
    expect(new URL(closed.url).pathname).toBe('/ops');
    const page = await world.visit('/ops');
    // The board asks for fonts of another site, which its policy forbids.
    page.expectFaults(/fonts\.googleapis\.com/);
    await page.getByRole('button', { name: 'Queues of all schools' }).click();
    await page.waitForURL('**/ops/queues');
    for (const queue of ['fan-out', 'email-urgent', 'push'])
      await page.getByRole('link', { name: queue, exact: true }).first().waitFor();
  });

  it('finds the messages of a person by name, and counts people', async () => {
    const name = newName('Zuzana');
    const user_id = name.replace(' ', '-');
    const contact = { name, roles: ['parent'], email: 'zuzana@home.example' };
    await world.call('PUT', `/api/v1/operations/contacts/${user_id}`, contact);
    const one = { ...world.scope, event_id, user_id, name, status: 'failed' as const };
    await deliveryStore(world.database).insertMany([
      aDelivery({ ...one, id: `${user_id}-1`, channel: 'email' }),
      aDelivery({ ...one, id: `${user_id}-2`, channel: 'sms' }),
    ]);
    const page = await open('/ops');
    await page.getByRole('combobox', { name: 'Person' }).fill(name);
    await page.getByRole('option', { name }).click();
    await page.getByText('2 messages for 1 person').waitFor();
    await expect.poll(() => page.getByText('E. N.').count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('user_id')).toBe(user_id);
    await page.getByRole('button', { name: `Remove: ${name}` }).waitFor();
  });

  it('finds the messages of an event by its title', async () => {
    const title = newName('Bazaar');
    const id = await createEvent(world, draft({ title }), []);
    await deliveryStore(world.database).insertMany([
      aDelivery({ ...world.scope, id: `of-${id}`, event_id: id, name: 'Ota Krátký', status: 'sent' }),
    ]);
    const page = await open('/ops');
    await page.getByText('E. N.').waitFor();
    await page.getByRole('combobox', { name: 'Event' }).fill(title);
    await page.getByRole('option', { name: title }).click();
    await page.getByText('O. K.').waitFor();
    await expect.poll(() => page.getByText('E. N.').count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: `Remove: ${title}` }).click();
    await page.getByText('E. N.').waitFor();
  });

  it('shows what one person answered to text messages, and links the answer to the message of the school', async () => {
    const payload = { subject: newName('Closed'), body: 'Stay at home.', channels: ['in_app'] };
    const { body } = await world.call('POST', '/api/v1/operations/messages', payload);
    const user_id = `staff-${body.id}`;
    const answered = { event_id: body.id, user_id, trigger: 'message.answered' as const, status: 'sent' as const };
    await deliveryStore(world.database).insertMany([aDelivery({ ...world.scope, ...answered, id: `of-${body.id}` })]);
    const fact = aFact('message.answered', { user_id, sid: user_id, text: 'We come by car.' }, { event_id });
    const stored = { ...fact, ...world.scope, _id: user_id, id: undefined };
    await world.database.collection('facts').insertOne(stored as never);
    const page = await open(`/ops?user_id=${user_id}`);
    await page.getByRole('region', { name: 'Replies to text messages' }).getByText('We come by car.').waitFor();
    const link = page.getByRole('link', { name: payload.subject });
    expect(await link.getAttribute('href')).toBe(`/messages/${body.id}`);
  });

  it('lets staff retry and discard messages in quarantine, and says once what went wrong', async () => {
    const status = 'quarantined' as const;
    const quarantined = { ...world.scope, event_id, channel: 'email' as const, status, reason: 'errors' as const };
    await world.database.collection('deliveries').deleteMany({ _id: { $in: ['q1', 'q2'] } });
    await deliveryStore(world.database).insertMany([
      aDelivery({ ...quarantined, id: 'q1', name: 'Petr Dlouhý', created_at: new Date(Date.now() - 1) }),
      aDelivery({ ...quarantined, id: 'q2', name: 'Olga Tichá', reason: 'crashed' }),
    ]);
    const page = await open('/ops');
    await page.getByRole('link', { name: '2 in quarantine' }).click();
    await page.getByText('Our system failed five times to send this message.', { exact: false }).first().waitFor();
    await page.getByText('report its ID to your system administrator: q2', { exact: false }).waitFor();
    expect(await page.getByRole('link', { name: 'Autumn concert' }).count()).toBe(2);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Retry: P. D.' }).click();
    await page.getByRole('button', { name: 'Retry: P. D.' }).waitFor({ state: 'detached' });
    expect(await world.deliveries({ _id: 'q1' })).toMatchObject([{ status: 'waiting' }]);
    await page.getByRole('button', { name: 'Discard: O. T.' }).click();
    page.expectFaults(/500/);
    await page.route('**/discard', (route) => route.fulfill({ status: 500, json: {} }), { times: 1 });
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.locator('[role=alert]').count()).toBe(1);
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByText('No messages in quarantine').waitFor();
    expect(await world.deliveries({ _id: 'q2' })).toMatchObject([{ status: 'failed', reason: 'discarded' }]);
  });
});
