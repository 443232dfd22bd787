import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { contactOf, draft, eventually, putPeople } from '../../support/world.ts';
import {
  describeWeb,
  go,
  newParent,
  openSite,
  provideOpened,
  type VisitOptions,
  WHOLE_BROWSER,
} from '../support/browser.ts';
import { provideSharedPage } from '../support/shared-page.ts';
import { createEvent } from '../support/site-events.ts';

const PUSH: VisitOptions = { permissions: ['notifications'], serviceWorkers: 'allow' };

describeWeb('push messages in the settings', () => {
  const world = provideOpened(() => openSite(undefined, WHOLE_BROWSER));
  const open = provideSharedPage(world, { as: newParent(), ...PUSH });

  it('turns push messages on, shows one sent by the worker, and turns them off', async () => {
    const parent = newParent();
    const { user_id } = parent;
    const page = await world.visit('/settings', { as: parent, ...PUSH });
    // No real push service is reachable: the subscription points to the stand-in.
    const device = world.push.subscribe(user_id, world.vapidPublicKey);
    await page.evaluate((given) => {
      const state = { on: false };
      const made = {
        endpoint: given.endpoint,
        options: {},
        toJSON: () => given,
        unsubscribe: async () => {
          state.on = false;
          return true;
        },
      };
      PushManager.prototype.subscribe = async (options) => {
        if (!options?.userVisibleOnly || !options.applicationServerKey)
          throw new Error('subscribe needs userVisibleOnly and applicationServerKey');
        state.on = true;
        return made as unknown as PushSubscription;
      };
      PushManager.prototype.getSubscription = async () => (state.on ? (made as unknown as PushSubscription) : null);
    }, device);
    await page.getByRole('button', { name: 'Turn on in this browser' }).click();
    await page.getByText('Push messages are on in this browser').first().waitFor();
    expect(await world.database.collection('push_subscriptions').countDocuments({ user_id })).toBe(1);

    const person = contactOf(6, { user_id, roles: ['parent'], locale: 'en' });
    await putPeople(world, [person]);
    const event = await createEvent(world, draft({ visibility: 'public' }));
    const arrived = () =>
      world.push.messages.find(({ device, payload }) => device === user_id && payload.event === event);
    await eventually('the push message arrives', () => arrived() !== undefined);

    const shown = await deliverPush(page, JSON.stringify(arrived()?.payload));
    expect(shown).toEqual([{ title: expect.stringContaining('Autumn concert'), path: `/events/${event}` }]);

    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Turn on in this browser' }).waitFor();
    expect(await world.database.collection('push_subscriptions').countDocuments({ user_id })).toBe(0);
  });

  it('subscribes again if the server has had another key since the browser subscribed', async () => {
    const parent = newParent();
    const { user_id } = parent;
    const endpoint = 'https://fcm.googleapis.com/old';
    const subscriptions = world.database.collection('push_subscriptions');
    const old = { ...world.scope, _id: user_id, user_id, endpoint, keys: {}, created_at: new Date() };
    await subscriptions.insertOne(old as never);
    const page = await world.visit('/settings', { as: parent, ...PUSH });
    const device = world.push.subscribe(user_id, world.vapidPublicKey);
    await page.addInitScript(
      ([endpoint, device, user_id]) => {
        localStorage.setItem('push', `${user_id} ${endpoint}`);
        const made = { options: {}, toJSON: () => device, unsubscribe: async () => true };
        const subscription = (endpoint: string) => ({ ...made, endpoint }) as unknown as PushSubscription;
        PushManager.prototype.getSubscription = async () => subscription(endpoint);
        PushManager.prototype.subscribe = async () => subscription(device.endpoint);
      },
      [endpoint, device, user_id] as const,
    );
    await page.reload();
    const endpoints = async () => (await subscriptions.find({ user_id }).toArray()).map((one) => one.endpoint);
    await eventually('the new one replaces the old', async () => String(await endpoints()) === device.endpoint);
  });

  it('says so if the browser gets no answer from its push service', async () => {
    const page = await open('/settings');
    await page.evaluate(() => {
      PushManager.prototype.getSubscription = async () => null;
      PushManager.prototype.subscribe = () => new Promise(() => {});
      const wait = window.setTimeout;
      window.setTimeout = ((act: () => void, ms = 0) => wait(act, ms === 20_000 ? 0 : ms)) as typeof setTimeout;
    });
    await page.getByRole('button', { name: 'Turn on in this browser' }).click();
    await page.getByText('Your browser could not turn on push messages.').waitFor();
  });

  it('says so if the service worker cannot be loaded', async () => {
    const page = await open('/settings');
    await page.evaluate(() => {
      navigator.serviceWorker.register = () => Promise.reject(new TypeError('the script was not loaded'));
      Object.defineProperty(navigator.serviceWorker, 'ready', { get: () => new Promise(() => {}) });
    });
    await page.getByRole('button', { name: 'Turn on in this browser' }).click();
    await page.getByText('The server can’t be reached.').waitFor();
  });

  it('explains what to do if the browser blocks notifications', async () => {
    const page = await open('/events');
    await page.getByRole('button', { name: /Account/ }).waitFor();
    await page.evaluate(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }));
    await go(page, '/settings');
    await page.getByText('Your browser blocks push messages from this page.').waitFor();
    expect(await page.getByRole('button', { name: 'Turn on in this browser' }).count()).toBe(0);
  });
});

/**
 * Delivers a push message to the page's service worker. Repeats it until a notification shows, since the browser sometimes
 * drops messages injected this way. @returns the notifications shown
 */
async function deliverPush(page: Page, data: string): Promise<{ title: string; path: string }[]> {
  const devtools = await page.context().newCDPSession(page);
  const registrationId = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const origin = new URL(page.url()).origin;
  const message = { origin, registrationId: await registrationId, data };
  let shown: { title: string; path: string }[] = [];
  const deliver = async () => {
    await devtools.send('ServiceWorker.deliverPushMessage', message);
    shown = await page.evaluate(async () => {
      const worker = await navigator.serviceWorker.ready;
      return (await worker.getNotifications()).map(({ title, data }) => ({ title, path: String(data.path) }));
    });
    return shown;
  };
  await expect.poll(deliver, { interval: 1_000 }).not.toEqual([]);
  return shown;
}
