import { beforeAll, expect, test } from 'vitest';
import { BUNDLE, buildTexts } from '../../../src/build/compile-texts.ts';
import { type Bundle, readBundle } from '../../../src/channels/templates/bundle.ts';
import { loadTexts } from '../../../src/channels/templates/catalogue.ts';
import type { Content } from '../../../src/notifications/content/message.ts';
import { contentFor, jana } from './texts-samples.ts';

let before: Bundle;
let after: Bundle;
beforeAll(async () => {
  await buildTexts();
  before = readBundle(BUNDLE);
  after = structuredClone(before);
  after.texts['event.cancelled'].en = {
    ...after.texts['event.cancelled'].en,
    version: 'new-version',
    sms: { body: ['CALLED OFF'] },
  };
});

const name = { trigger: 'event.cancelled', locale: 'en' } as const;
const drafted = (texts?: string): Content => ({
  ...contentFor('event.cancelled', { channel: 'sms' }),
  ...(texts ? { texts } : {}),
});
const said = (texts: ReturnType<typeof loadTexts>, version?: string) => texts.sms(drafted(version)).fill(jana);

test('uses the texts of an earlier version for messages drafted by it, once they are loaded', () => {
  const old = loadTexts(before);
  const now = loadTexts(after);
  const version = old.version(name);
  expect(said(now)).toBe('CALLED OFF');
  const ids = now.missing([
    { ...name, texts: version },
    { ...name, texts: version },
    { ...name, texts: 'new-version' },
    { ...name, texts: '' },
  ]);
  expect(ids).toEqual([`event.cancelled en ${version}`]);
  now.learn(
    ids,
    old.all().filter(({ id }) => ids.includes(id)),
  );
  expect(said(now, version)).toBe(said(old));
  expect(now.version({ ...name, texts: version })).toBe(version);
  expect(said(now, 'new-version')).toBe('CALLED OFF');
  expect(said(now)).toBe('CALLED OFF');
  expect(now.missing([{ ...name, texts: version }])).toEqual([]);
});

test('uses its own texts if an earlier version is unknown or unreadable, and looks it up once', () => {
  const now = loadTexts(after);
  const lost = now.missing([
    { ...name, texts: 'lost' },
    { ...name, texts: 'strange' },
  ]);
  now.learn(lost, [{ id: 'event.cancelled en strange', format: 99, text: {} }]);
  for (const version of ['lost', 'strange']) {
    expect(said(now, version)).toBe('CALLED OFF');
    expect(now.version({ ...name, texts: version })).toBe('new-version');
    expect(now.missing([{ ...name, texts: version }])).toEqual([]);
  }
});
