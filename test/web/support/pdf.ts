import { inflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** Prints a page as Chromium would on A4. @returns the size of each sheet in points, and the text without spaces */
export async function printed(page: Page): Promise<{ sheets: [width: number, height: number][]; text: string }> {
  const source = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const objects = new Map(
    [...source.matchAll(/(?:^|\n)(\d+) 0 obj\n?(.*?)endobj/gs)].map(([, id, body = '']) => [id, body]),
  );
  const streams = new Map([...objects].map(([id, body]) => [id, inflate(body)]));
  const letters = new Map(
    [...source.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => {
      const [, unicode] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '') ?? [];
      return [name, lettersOf(streams.get(unicode) ?? '')];
    }),
  );
  let text = '';
  for (const stream of streams.values()) {
    let font: Map<number, string> | undefined;
    for (const [, name, hex] of stream.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>/g)) {
      if (name) font = letters.get(name);
      else for (const glyph of hex?.match(/.{4}/g) ?? []) text += font?.get(Number.parseInt(glyph, 16)) ?? '';
    }
  }
  const boxes = [...source.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)];
  return { sheets: boxes.map(([, width, height]) => [Number(width), Number(height)]), text: text.replace(/\s/g, '') };
}

function inflate(body: string): string {
  const [, data] = /FlateDecode.*?stream\r?\n(.*)\r?\nendstream/s.exec(body) ?? [];
  return data === undefined ? '' : inflateSync(Buffer.from(data, 'latin1')).toString('latin1');
}

/** The letter of each glyph of a font, from its ToUnicode map. */
function lettersOf(map: string): Map<number, string> {
  const letters = new Map<number, string>();
  const read = (hex: string) => Number.parseInt(hex, 16);
  const decode = (hex: string) => String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map(read));
  for (const [, block = ''] of map.matchAll(/beginbfchar(.*?)endbfchar/gs))
    for (const [, glyph = '', text = ''] of block.matchAll(/<(\w+)>\s*<(\w+)>/g))
      letters.set(read(glyph), decode(text));
  for (const [, block = ''] of map.matchAll(/beginbfrange(.*?)endbfrange/gs))
    for (const [, from = '', to = '', text = ''] of block.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g))
      for (let glyph = read(from); glyph <= read(to); glyph += 1)
        letters.set(glyph, String.fromCharCode(read(text) + glyph - read(from)));
  return letters;
}
