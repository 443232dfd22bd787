import { api, bodyOf } from '../api/client.ts';

export type PushState = 'unsupported' | 'denied' | 'off' | 'on';

const WORKER = '/service-worker.js';
/** Whose subscription the server knows, so that it is told again when somebody else uses this browser. */
const KEPT = 'push';

const isSupported = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

const subscription = async (): Promise<PushSubscription | null> => {
  const worker = await navigator.serviceWorker.getRegistration(WORKER);
  return (await worker?.pushManager.getSubscription()) ?? null;
};

/** Whether messages are pushed to this browser. */
export async function pushState(): Promise<PushState> {
  if (!isSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  if (Notification.permission !== 'granted' || !localStorage.getItem(KEPT)) return 'off';
  return (await subscription()) ? 'on' : 'off';
}

/** Asks for the permission, and has messages pushed here from now on. To be called from a click. */
export async function startPush(publicKey: string, user_id: string): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState();
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // One that was made with another key of the server's reaches nobody.
  const before = await pushManager.getSubscription();
  if (before && keyOf(before) !== publicKey) await before.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  await tell(made, user_id);
  return 'on';
}

/** Nothing is pushed here any more; without an answer of the server its next try finds nobody. */
export async function stopPush(): Promise<void> {
  localStorage.removeItem(KEPT);
  if (!isSupported()) return;
  const found = await subscription();
  if (!found) return;
  const { endpoint } = found;
  await Promise.all([found.unsubscribe(), bodyOf(api.DELETE('/api/v1/me/push_subscriptions', { body: { endpoint } }))]);
}

/** The browser may have changed its subscription, or somebody else be signed in: the server is told. */
export async function keepPush(user_id: string): Promise<void> {
  if (!isSupported() || Notification.permission !== 'granted' || !localStorage.getItem(KEPT)) return;
  const found = await subscription();
  if (found && localStorage.getItem(KEPT) !== `${user_id} ${found.endpoint}`) await tell(found, user_id);
}

async function tell(made: PushSubscription, user_id: string): Promise<void> {
  const { endpoint = '', keys = {} } = made.toJSON();
  const { p256dh = '', auth = '' } = keys;
  await bodyOf(api.POST('/api/v1/me/push_subscriptions', { body: { endpoint, keys: { p256dh, auth } } }));
  localStorage.setItem(KEPT, `${user_id} ${endpoint}`);
}

function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = new Uint8Array(applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
