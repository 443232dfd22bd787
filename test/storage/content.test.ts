import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readContent } from '../../src/storage/receive-file.ts';

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\n%%EOF');
const OLD_WORD = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
const REFUSED = { refusal: { code: 'unsupported_media_type' } };

const picture = (width: number, height: number, alpha = 1) =>
  sharp({ create: { width, height, channels: alpha < 1 ? 4 : 3, background: { r: 10, g: 160, b: 80, alpha } } });

describe('the content of a file decides its type', () => {
  test.each([
    ['a PDF', PDF, 'plan.pdf', 'application/pdf', 'plan.pdf'],
    ['a PDF with the name of a program', PDF, 'plan.exe', 'application/pdf', 'plan.exe.pdf'],
    ['a PDF with the name of a picture', PDF, 'plan.png', 'application/pdf', 'plan.pdf'],
    ['an old Word file', OLD_WORD, 'list.doc', 'application/msword', 'list.doc'],
    ['a text', Buffer.from('Příliš žluťoučký\r\n\tkůň'), 'notes.txt', 'text/plain', 'notes.txt'],
    ['a table', Buffer.from('a;b\n1;2'), 'list.CSV', 'text/csv', 'list.csv'],
    ['a name with a path', PDF, '../../etc/passwd', 'application/pdf', 'passwd.pdf'],
  ])('%s', async (_what, bytes, name, mime_type, stored) => {
    expect(await readContent(bytes, { name, use: 'attachment' })).toMatchObject({ mime_type, name: stored, bytes });
  });

  test.each([
    ['a program with the name of a PDF', Buffer.from('4d5a90000300000004000000ffff0000', 'hex'), 'plan.pdf'],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'page.html'],
    ['a drawing with a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 'logo.svg'],
    ['a container of an unknown office file', OLD_WORD, 'setup.msi'],
    ['bytes with the name of a text', Buffer.from([1, 2, 3]), 'notes.txt'],
    ['a PDF without a byte', Buffer.alloc(0), 'empty.pdf'],
    ['a text without a byte', Buffer.alloc(0), 'empty.txt'],
    ['a damaged picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'x.png'],
  ])('refuses %s', async (_what, bytes, name) => {
    await expect(readContent(bytes, { name, use: 'attachment' })).rejects.toMatchObject(REFUSED);
  });

  test('refuses a banner that is no picture', async () => {
    await expect(readContent(PDF, { name: 'plan.pdf', use: 'banner' })).rejects.toMatchObject(REFUSED);
  });
});

describe('an image is encoded again', () => {
  const photo = () =>
    picture(400, 200)
      .withExif({ IFD0: { Copyright: 'Eva' }, IFD3: { GPSLatitude: '50/1 5/1 0/1' } })
      .jpeg();

  test('without its metadata, and turned upright', async () => {
    const turned = await photo().withMetadata({ orientation: 6 }).toBuffer();
    expect((await sharp(turned).metadata()).exif).toBeDefined();
    const { bytes, mime_type } = await readContent(turned, { name: 'a.jpg', use: 'attachment' });
    const after = await sharp(bytes).metadata();
    expect(mime_type).toBe('image/jpeg');
    expect(after).toMatchObject({ width: 200, height: 400 });
    expect(after.exif).toBeUndefined();
    expect(after.orientation).toBeUndefined();
  });

  test('without bytes that were appended to it', async () => {
    const bytes = Buffer.concat([await photo().toBuffer(), Buffer.from('<script>alert(1)</script>')]);
    const stored = await readContent(bytes, { name: 'a.jpg', use: 'attachment' });
    expect(Buffer.from(stored.bytes).includes('<script>')).toBe(false);
  });

  test.each([
    ['attachment', 2560, 1280],
    ['banner', 1600, 800],
  ] as const)('of at most its size as %s', async (use, width, height) => {
    const bytes = await picture(3000, 1500).jpeg().toBuffer();
    const stored = await readContent(bytes, { name: 'a.jpg', use });
    expect(await sharp(stored.bytes).metadata()).toMatchObject({ width, height });
  });

  test('a logo as a small PNG that stays transparent', async () => {
    const bytes = await picture(1000, 1000, 0.5).webp().toBuffer();
    const stored = await readContent(bytes, { name: 'Logo.webp', use: 'logo' });
    expect(stored).toMatchObject({ mime_type: 'image/png', name: 'Logo.png' });
    expect(await sharp(stored.bytes).metadata()).toMatchObject({ width: 120, height: 120, hasAlpha: true });
  });

  test('but not if it has too many pixels', async () => {
    const bytes = await picture(9000, 7000).png({ compressionLevel: 9 }).toBuffer();
    expect(bytes.length).toBeLessThan(1_000_000);
    await expect(readContent(bytes, { name: 'a.png', use: 'attachment' })).rejects.toMatchObject(REFUSED);
  });
});
