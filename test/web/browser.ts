import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { Caller } from '../../src/people/caller.ts';
import { SCHOOL, type World } from '../support/world.ts';

const EXECUTABLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

/** `describe`, skipped without Chromium; in CI a missing Chromium fails the tests. */
export const describeWeb = EXECUTABLE || process.env.CI ? describe : describe.skip;

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Launches a browser for one test file. */
export function openBrowser(more: { args?: string[] } = {}): Promise<Browser> {
  if (!EXECUTABLE) throw new Error('CI needs Chromium: apt-get install chromium');
  return chromium.launch({ executablePath: EXECUTABLE, headless: true, args: [...FLAGS, ...(more.args ?? [])] });
}

/** Timeout of each step, long enough for a loaded machine. */
const WAIT_MS = 20_000;

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

export type Visit = Page & {
  /** Closes the page; fails if it logged errors or policy violations. */
  leave(): Promise<void>;
  /** Allows expected errors, for example a 404 that the browser logs. */
  expectFaults(pattern: RegExp): void;
};

type Who = Partial<Caller> & { user_id: string };

export const STAFF: Who = { user_id: 'staff-1', roles: ['staff'] };
export const PARENT: Who = { user_id: 'parent-1', roles: ['parent'], children: ['student-1'] };
export const STUDENT: Who = { user_id: 'student-1', roles: ['student'] };

export const ALL: readonly string[] = [
  'events.view',
  'events.create',
  'events.update',
  'events.delete',
  'events.delete.any',
  'events.registrations.manage',
  'events.statistics.view',
  'events.contacts.manage',
  'events.settings.manage',
  'events.deliveries.manage',
];

export type VisitOptions = Omit<BrowserContextOptions, 'viewport'> & {
  as?: Who | null;
  viewport?: { width: number; height: number };
  language?: 'en' | 'cs';
  theme?: 'light' | 'dark';
};

/** Opens a page as a signed-in user, or signed out with `as: null`. */
export async function visit(
  browser: Browser,
  world: World,
  path: string,
  { as = STAFF, viewport = DESKTOP, language = 'en', theme = 'light', ...more }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: world.apiUrl,
    viewport,
    locale: language === 'en' ? 'en-GB' : 'cs-CZ',
    timezoneId: 'Europe/Prague',
    colorScheme: theme,
    ...more,
  });
  if (as) {
    const permissions = as.roles?.includes('staff') ? ALL : ['events.view'];
    const token = await world.token({ ...SCHOOL, permissions, ...as });
    const session = JSON.stringify({ token, until: Date.now() + 86_400_000 * 366 * 20 });
    await context.addInitScript((kept) => localStorage.setItem('session', kept), session);
  }
  const page = (await context.newPage()) as Visit;
  page.setDefaultTimeout(WAIT_MS);
  const faults: string[] = [];
  const expected: RegExp[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content Security Policy/.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.expectFaults = (pattern) => void expected.push(pattern);
  page.leave = async () => {
    await context.close();
    expect(faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)))).toEqual([]);
  };
  await page.goto(path);
  return page;
}

/** Violations of any axe-core rule. */
export async function axeFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  );
}

/** Violations in the light and the dark theme; without motion, since axe would measure a colour in transition. */
export async function axeFaultsInBothThemes(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    faults.push(...(await axeFaults(page)).map((fault) => `${colorScheme}: ${fault}`));
  }
  return faults;
}
