// Shows what the school pushes, and leads to the event. It keeps nothing, and answers no request of the page.
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
      // A later word on an event takes the place of an earlier one, and is heard.
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

/** Only a page of ours, whatever address the message carries. */
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
