import { askEarly } from './api/early.ts';
import { firstView } from './calendar/first-view.ts';
import { keptSession } from './session/kept.ts';
import { preferredLanguage } from './texts/languages.ts';

/** The files of the texts and of the calendar, named when they are built. */
declare const FILES: { texts: Record<string, readonly string[]>; calendar: readonly string[] };

/*
 * Runs before anything is painted, and before the scripts of the page have come: takes the theme that was chosen on this
 * device, and asks at once for what the page will want: its texts, and for the calendar its script and what is on.
 */
try {
  const theme = localStorage.getItem('theme');
  if (theme) document.documentElement.dataset.theme = theme;
  const language = preferredLanguage();
  begin(FILES.texts[language] ?? []);
  const { pathname, search } = window.location;
  const session = keptSession();
  if (session && session.until > Date.now() && (pathname === '/events' || pathname === '/')) {
    begin(FILES.calendar);
    askEarly('/api/v1/me', session.token, language);
    const shown = firstView(search);
    if (shown) askEarly(`/api/v1/operations/events/calendar?${shown}`, session.token, language);
  }
} catch {
  // Storage is closed to us: everything is asked for later.
}

function begin(files: readonly string[]): void {
  for (const href of files) {
    const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', href });
    document.head.append(link);
  }
}
