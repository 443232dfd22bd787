import { prefetch } from './api/prefetch.ts';
import { showColor } from './app/color.ts';
import { firstView } from './calendar/first-view.ts';
import { lastSchool, storedSession, viewedAs } from './session/stored.ts';
import { preferredLanguage } from './texts/languages.ts';

/** Files of the texts and of the calendar; the build fills in their names. */
declare const FILES: { texts: Record<string, readonly string[]>; calendar: readonly string[] };

/*
 * Runs before the first paint and before the page's scripts load. Sets theme and color, and starts loading what the page will
 * need: its texts, and for the calendar its script and data.
 */
replaceBlockedStorage();
const theme = localStorage.getItem('theme');
if (theme) document.documentElement.dataset.theme = theme;
showColor(lastSchool()?.color ?? null);
const language = preferredLanguage();
preload(FILES.texts[language] ?? []);
// The first format takes long, since the browser reads its tables of languages: meanwhile the scripts are on their way.
setTimeout(() => new Intl.DateTimeFormat(language, { timeZone: 'UTC' }).format());
const { pathname, search } = window.location;
const session = storedSession();
if (viewedAs() === null && session && session.until > Date.now() && (pathname === '/events' || pathname === '/')) {
  preload(FILES.calendar);
  prefetch('/api/v1/me', session.token, language);
  const shown = firstView(search);
  if (shown) prefetch(`/api/v1/operations/events/calendar?${shown}`, session.token, language);
}

/**
 * A browser that blocks cookies lets the page store nothing, and often so in a frame on another website. Then what the page
 * stores lasts until it is left.
 */
function replaceBlockedStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    try {
      window[name].getItem('');
    } catch {
      const stored = new Map<string, string>();
      const value: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, text) => void stored.set(key, text),
        removeItem: (key) => void stored.delete(key),
      };
      Object.defineProperty(window, name, { value });
    }
  }
}

function preload(files: readonly string[]): void {
  for (const href of files) {
    const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', href });
    document.head.append(link);
  }
}
