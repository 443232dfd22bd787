import { api, unwrap } from '../api/client.ts';
import { registerServiceWorker } from '../live/service-worker.ts';

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
  // Rejects if the worker can't be loaded, in which case `ready` would stay pending for ever.
  await registerServiceWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  // A subscription made with an old server key no longer works.
  const before = await pushManager.getSubscription();
  if (before && keyOf(before) !== publicKey) await before.unsubscribe();
  const asked = pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  await sendSubscription(await Promise.race([asked, rejectLater()]), user_id);
  return 'on';
}

/** Rejects when the browser has had time enough: it tries for ever while its push service can't be reached. */
const rejectLater = (): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new DOMException('no response', 'TimeoutError')), SUBSCRIBE_MS));

/** Unsubscribes this browser. If the server is not reached, its next push fails and removes the subscription. */
export async function stopPush(): Promise<void> {
  localStorage.removeItem(KNOWN);
  if (!isSupported()) return;
  const found = await findSubscription();
  if (!found) return;
  const { endpoint } = found;
  await Promise.all([found.unsubscribe(), unwrap(api.DELETE('/api/v1/me/push_subscriptions', { body: { endpoint } }))]);
}

/** Sends the subscription to the server if it or the signed-in user changed. */
export async function syncSubscription(user_id: string): Promise<void> {
  if (!isSupported() || Notification.permission !== 'granted' || !localStorage.getItem(KNOWN)) return;
  const found = await findSubscription();
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
