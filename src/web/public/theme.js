// Before anything is painted: the theme that was chosen on this device, or the device's own.
try {
  const chosen = localStorage.getItem('theme');
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is closed to us: the device's own it is.
}
