import { api, unwrap } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import { registerServiceWorker } from '../live/service-worker.ts';
import { settingsQuery } from './queries.ts';

type PushState = 'unsupported' | 'denied' | 'off' | 'on';

/** Storage key of the user and subscription that the server has, to detect a change of either. */
const KNOWN = 'push';

const SUBSCRIBE_MS = 20_000;

const isSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

const findSubscription = async (): Promise<PushSubscription | null> => {
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
};

/** Loads whether this browser receives push messages. */
export async function loadPushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  if (Notification.permission !== 'granted' || !localStorage.getItem(KNOWN)) return 'off';
  return (await findSubscription()) ? 'on' : 'off';
}

/** Asks for permission and subscribes this browser. Browsers require a click before it. */
export async function startPush(publicKey: string, user_id: string): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return loadPushState();
  await sendSubscription(await subscribe(publicKey), user_id);
  return 'on';
}

/** Subscribes this browser, or returns its subscription, unless that was made with an old server key and no longer works. */
async function subscribe(publicKey: string): Promise<PushSubscription> {
  // Rejects if the worker can't be loaded, in which case `ready` would stay pending for ever.
  await registerServiceWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  if (before && keyOf(before) === publicKey) return before;
  await (before && end(before).catch(() => {}));
  const asked = pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  return Promise.race([asked, rejectLater()]);
}

/** Rejects when the browser has had time enough: it tries for ever while its push service can't be reached. */
const rejectLater = (): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new DOMException('no response', 'TimeoutError')), SUBSCRIBE_MS));

/** Unsubscribes this browser. If the server is not reached, its next push fails and removes the subscription. */
export async function stopPush(): Promise<void> {
  localStorage.removeItem(KNOWN);
  if (!isSupported()) return;
  const found = await findSubscription();
  if (found) await end(found);
}

const end = (found: PushSubscription): Promise<unknown> =>
  Promise.all([
    found.unsubscribe(),
    unwrap(api.DELETE('/api/v1/me/push_subscriptions', { body: { endpoint: found.endpoint } })),
  ]);

/** Subscribes again if the browser or a new server key ended the subscription; sends it if it or the signed-in user changed. */
export async function syncSubscription(user_id: string): Promise<void> {
  if (!isSupported() || Notification.permission !== 'granted' || !localStorage.getItem(KNOWN)) return;
  const { push } = await queryClient.fetchQuery(settingsQuery);
  const found = push && (await subscribe(push.public_key));
  if (found && localStorage.getItem(KNOWN) !== `${user_id} ${found.endpoint}`) await sendSubscription(found, user_id);
}

async function sendSubscription(made: PushSubscription, user_id: string): Promise<void> {
  const { endpoint = '', keys = {} } = made.toJSON();
  const { p256dh = '', auth = '' } = keys;
  await unwrap(api.POST('/api/v1/me/push_subscriptions', { body: { endpoint, keys: { p256dh, auth } } }));
  localStorage.setItem(KNOWN, `${user_id} ${endpoint}`);
}

function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = new Uint8Array(applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
