// Shows push messages and opens their event. Has no cache and handles no fetches.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const { title, body, url, tag } = read(event.data);
  event.waitUntil(
    self.registration.showNotification(title || 'Schoolbell', {
      body: body || '',
      icon: '/favicon.svg',
      badge: '/favicon.svg',
      data: { path: pathOf(url) },
      // A newer message about an event replaces the older one, and alerts again.
      ...(tag ? { tag, renotify: true } : {}),
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data?.path ?? '/inbox'));
});

function read(data) {
  try {
    return data?.json() ?? {};
  } catch {
    return {};
  }
}

/** The path of our page in a URL; the inbox for any other URL. */
function pathOf(url) {
  try {
    const { pathname } = new URL(url, self.location.origin);
    return pathname.startsWith('/events/') ? pathname : '/inbox';
  } catch {
    return '/inbox';
  }
}

async function show(path) {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const [page] = open;
  if (!page) return self.clients.openWindow(path);
  await page.focus().catch(() => {});
  page.postMessage({ goTo: path });
}
