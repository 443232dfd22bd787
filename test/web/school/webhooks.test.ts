import { expect, it } from 'vitest';
import { draft } from '../../support/world.ts';
import { axeFaults, describeWeb, openSite, PHONE } from '../support/browser.ts';
import { createEvent } from '../support/site-events.ts';

const HOOK = 'https://hook.example/';
/** Leads to this machine, so the worker does not even connect. The API refuses it. */
const PRIVATE = 'https://localhost:1/hook';

describeWeb('the webhooks of a school', () => {
  it('are added with a secret that is shown once, and list what was sent', async () => {
    const world = await openSite();
    const page = await world.visit('/school');
    const card = page.getByRole('region', { name: 'Webhooks' });
    await card.getByRole('button', { name: 'Add a webhook' }).click();
    const form = page.getByRole('dialog', { name: 'Add a webhook' });
    page.expectFaults(/422/);
    await form.getByRole('button', { name: 'Add a webhook' }).click();
    await form.getByText('Fill in this field.').waitFor();
    await form.getByLabel('Address').fill('http://hook.example/');
    await form.getByRole('button', { name: 'Add a webhook' }).click();
    await form.getByText('Enter a web address that begins with https://').waitFor();
    await form.getByRole('textbox', { name: 'Address' }).and(form.locator(':focus')).waitFor();
    await form.getByLabel('Address').fill(HOOK);
    await form.getByLabel('What it is for').fill('Website');
    await form.getByRole('checkbox', { name: 'Cancelled', exact: true }).uncheck();
    await form.getByRole('checkbox', { name: 'A registration was confirmed' }).check();
    expect(await axeFaults(page)).toEqual([]);
    await form.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByRole('button', { name: 'Copy secret' }).waitFor();
    const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue();
    await page.getByRole('button', { name: 'Done' }).click();
    const webhooks = world.database.collection('webhooks');
    const stored = await webhooks.findOne(world.scope);
    expect(stored).toMatchObject({ url: HOOK, description: 'Website', secrets: [{ value: secret }] });
    expect(stored?.types).toEqual(['event.published', 'event.changed', 'event.postponed', 'registration.confirmed']);

    await webhooks.updateOne(world.scope, { $set: { url: PRIVATE } });
    await card.getByText('On: 4 kinds of changes').waitFor();
    await card.getByRole('button', { name: 'Recent messages: Website' }).click();
    await card.getByText('No messages in the last 30 days.').waitFor();
    await createEvent(world, draft());
    const message = card.getByRole('listitem').filter({ hasText: 'Published' }).last();
    await message.getByText(/this address is not on the internet · next try on/).waitFor();
    await card.getByText(/^No message has arrived since/).waitFor();
    await webhooks.updateOne(world.scope, { $set: { failing_since: null } });
    await card.getByText('On: 4 kinds of changes').waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('say why one was turned off, and send a message again after it is on', async () => {
    const world = await openSite();
    const subscription = { url: HOOK, types: ['event.created'] };
    const { body: webhook } = await world.call('POST', '/api/v1/operations/webhooks', subscription);
    const webhooks = world.database.collection('webhooks');
    const attempts = world.database.collection('webhook_attempts');
    const off = { url: PRIVATE, enabled: false, disabled_reason: 'gone', disabled_at: new Date() };
    await webhooks.updateOne({ _id: String(webhook.id) }, { $set: off });
    const attempt = { ...world.scope, webhook_id: webhook.id, fact_id: 'f1', event_id: 'e1', type: 'event.created' };
    const tries = [{ at: new Date(), ms: 9, status_code: 410, problem: 'refused' }];
    const failed = {
      status: 'failed',
      body: '{}',
      created_at: new Date(),
      due_at: new Date(),
      failures: 1,
      fence: 1,
      tries,
    };
    await attempts.insertOne({ _id: `attempt-${webhook.id}`, ...attempt, ...failed, user_id: null } as never);
    const tomorrow = new Date(Date.now() + 86_400_000);
    const waits = { status: 'pending', fact_id: 'f0', type: 'event.published', due_at: tomorrow };
    const pending = { ...attempt, ...failed, ...waits, user_id: null };
    await attempts.insertOne({ _id: `pending-${webhook.id}`, ...pending } as never);
    const page = await world.visit('/school', { viewport: PHONE });
    const card = page.getByRole('region', { name: 'Webhooks' });
    await card.getByText(/Turned off: the other system asked for no more messages. Since/).waitFor();
    await card.getByRole('button', { name: 'Recent messages' }).click();
    await card.getByText('Not delivered · answer 410').waitFor();
    await card.getByText('Not sent · answer 410').waitFor();
    expect(await card.getByText(/next try on/).count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    const choose = async (name: string) => {
      await card.getByRole('button', { name: `More actions: ${PRIVATE}` }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Turn on');
    await card.getByText(/On its way · answer 410 · next try on/).waitFor();
    for (const [name, id] of [
      ['Created', `attempt-${webhook.id}`],
      ['Published', `pending-${webhook.id}`],
    ] as const) {
      await card.getByRole('button', { name: `Send again: ${name}` }).click();
      await expect.poll(async () => (await attempts.findOne({ _id: id }))?.tries.length).toBe(2);
    }
    await choose('Get a new secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Get a new secret' }).click();
    expect(await page.getByRole('textbox', { name: 'Secret' }).inputValue()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await choose('Remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(async () => webhooks.countDocuments(world.scope)).toBe(0);
    // Its menu button is gone.
    await expect.poll(() => card.evaluate((one) => one.contains(document.activeElement))).toBe(true);
  });
});
