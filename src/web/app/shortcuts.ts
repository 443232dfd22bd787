const KEY = 'shortcuts';

/** Whether keyboard shortcuts are on, on this device. */
export const shortcutsAreOn = (): boolean => localStorage.getItem(KEY) !== 'off';

export const switchShortcuts = (on: boolean): void => localStorage.setItem(KEY, on ? 'on' : 'off');
