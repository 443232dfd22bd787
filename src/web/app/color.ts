/** Shows buttons and links in a color, `#rrggbb`; null: the default. */
export function showColor(color: string | null): void {
  const { style, dataset } = document.documentElement;
  if (color === null) delete dataset.own;
  else dataset.own = 'color';
  style.setProperty('--school', color);
}
