import { createAtom } from '@tanstack/react-store';

const KEY = 'shortcuts';

/** Whether keyboard shortcuts are on, on this device. */
export const shortcutsAreOn = createAtom(localStorage.getItem(KEY) !== 'off');

export function switchShortcuts(on: boolean): void {
  localStorage.setItem(KEY, on ? 'on' : 'off');
  shortcutsAreOn.set(on);
}
