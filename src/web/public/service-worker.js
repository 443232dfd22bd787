// Opens the client without a connection, shows push messages and opens their event.
/** The client's page and the files it has loaded. */
const SHELL = 'shell';
/** The pages of the client; the board of the queues, below one of them, is a page of the server. */
const PAGES = /^\/(?!ops\/)(calls|events|inbox|messages|ops|people|public|school|settings|statistics)?(\/|$)/;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(SHELL).then((shell) => shell.add('/')));
});
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate' && PAGES.test(pathname)) event.respondWith(findPage(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(findFile(request));
});

/** The page from the server; the last one without a connection, or if a proxy responds for a server that restarts. */
async function findPage(request) {
  const shell = await caches.open(SHELL);
  const response = await fetch(request).catch(() => Response.error());
  if (response.status === 200) await keep(shell, response.clone()).catch(ignoreFullDevice);
  const isMissing = response.type === 'error' || response.status > 500;
  return (isMissing && (await shell.match('/'))) || response;
}

/** A device without space shows the page all the same, only not without a connection. */
const ignoreFullDevice = () => {};

/** Another page is another release: its files have other names. */
async function keep(shell, page) {
  const [before, now] = await Promise.all([shell.match('/').then((old) => old?.text()), page.clone().text()]);
  if (before === now) return;
  if (before !== undefined) await Promise.all((await shell.keys()).map((one) => shell.delete(one)));
  await shell.put('/', page);
}

/** The name of a file changes with its content, so a cached one is always right. */
async function findFile(request) {
  const shell = await caches.open(SHELL);
  const cached = await shell.match(request);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.status === 200) await shell.put(request, response.clone()).catch(ignoreFullDevice);
  return response;
}

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

/** Visitors' pages, and those of the server such as the one behind a link of an e-mail, open no other page. */
const opensPages = ({ url }) => PAGES.test(new URL(url).pathname) && !url.includes('/public/');

async function show(path) {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = open.find(opensPages);
  if (!page) return self.clients.openWindow(path);
  await page.focus().catch(() => {});
  page.postMessage({ goTo: path });
}
