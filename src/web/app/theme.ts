import { createAtom } from '@tanstack/react-store';
import { Monitor, Moon, Sun } from 'lucide-react';

export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
export const THEME_ICONS = { system: Monitor, light: Sun, dark: Moon };

/** The theme chosen on this device; `boot.ts` sets it before the first paint. */
export const themeStore = createAtom((document.documentElement.dataset.theme as Theme | undefined) ?? 'system');

/** Shows a theme and remembers it; `system` follows the device, since the style sheet does not know it. */
export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem('theme', theme);
  themeStore.set(theme);
}
