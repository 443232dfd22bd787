/** Text that is HTML already. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

type Piece = string | number | Markup | readonly Markup[] | null | undefined;

/** HTML with every inserted text escaped; inserted Markup stays, nothing stands for null. Attributes need double quotes. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Markup {
  return new Markup(strings.reduce((text, string, index) => `${text}${render(pieces[index - 1])}${string}`));
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined) return '';
  if (piece instanceof Markup) return piece.html;
  if (typeof piece === 'object') return piece.map((part) => part.html).join('');
  return escapeHtml(String(piece));
}

/** Safe as an element's text and inside a double-quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
