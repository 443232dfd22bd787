import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type axeCore from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Disposable, type Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished } from 'vitest';
import { type Caller, PERMISSION_NAMES } from '../../../src/people/caller.ts';
import type { Contact } from '../../../src/people/contact.ts';
import { openSchool, putPeople, type World } from '../../support/world.ts';
import { prepareDevice } from './device.ts';
import { describeSchool } from './site-events.ts';

const installed = (...names: string[]) => names.map((name) => `/usr/bin/${name}`).find(existsSync);
/** The only one that shows notifications. */
export const WHOLE_BROWSER = installed('chromium', 'chromium-browser', 'google-chrome');
/** The same engine without windows takes a third less CPU. */
const BROWSER = installed('chromium-headless-shell') ?? WHOLE_BROWSER;

/** `describe`, skipped without Chromium; in CI a missing Chromium fails the tests. */
export const describeWeb = BROWSER || process.env.CI ? describe : describe.skip;

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** One browser of a kind for all files that a worker runs, since it costs seconds to start. It ends with the worker. */
const browsers = new Map<string, Promise<Browser>>();

/** The product as one school and its visitors see it. */
export type Site = World & {
  /** Opens a page as a signed-in user, or signed out with `as: null`. It is left when the test ends. */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
};

/** Opens a school of its own in the shared product, or the given product, to the shared browser. */
export async function openSite(own?: World, executablePath = BROWSER): Promise<Site> {
  if (!executablePath) throw new Error('CI needs Chromium: apt-get install chromium chromium-headless-shell');
  const launched = browsers.get(executablePath) ?? chromium.launch({ executablePath, headless: true, args: FLAGS });
  browsers.set(executablePath, launched);
  const [world, browser] = await Promise.all([own ?? openSchool(), launched]);
  return { ...world, visit: (path, options = {}) => visit(browser, world, path, options) };
}

/** Opens a site before the tests around the call. It can be used once they run. */
export function provideOpened(open: () => Promise<Site>): Site {
  const site = {} as Site;
  beforeAll(async () => {
    Object.assign(site, await open());
  });
  return site;
}

/** Opens a school as `provideOpened` does, in a time zone and with people if the tests need any. */
export const provideSite = (timezone?: string, people: readonly Contact[] = []): Site =>
  provideOpened(async () => {
    const site = await openSite();
    if (timezone) await describeSchool(site, timezone);
    await putPeople(site, people);
    return site;
  });

/** Timeout of each step, long enough for a loaded machine. */
const WAIT_MS = 20_000;

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

export type Visit = Page & {
  /** Closes the page before the test ends, and checks its faults. */
  leave(): Promise<void>;
  /** Allows expected errors until they are checked, for example a 404 that the browser logs. */
  expectFaults(pattern: RegExp): void;
  /** Fails if the page logged other errors or policy violations. */
  checkFaults(): void;
};

type Who = Partial<Caller> & { user_id: string };

export const STAFF: Who = { user_id: 'staff-1', roles: ['staff'] };
export const PARENT: Who = { user_id: 'parent-1', roles: ['parent'], children: ['student-1'] };
/** A name that no other test has; short, since the calendar cuts long titles. */
export const newName = (name: string): string => `${name} ${randomUUID().slice(0, 8)}`;
export const newParent = (): Who => ({ ...PARENT, user_id: newName('parent') });
export const STUDENT: Who = { user_id: 'student-1', roles: ['student'] };

export type VisitOptions = Omit<BrowserContextOptions, 'viewport'> & {
  as?: Who | null;
  /** whether it outlives the test (shared-page.ts) */
  isShared?: boolean;
  /** waits until the page receives changes live */
  live?: boolean;
  /** by how much the clock of the device is ahead, in milliseconds */
  aheadMs?: number;
  /** installs Playwright’s clock, which can be put forward */
  clock?: boolean;
  viewport?: { width: number; height: number };
  /** the language that was chosen on the device; the browser's is English unless `locale` says otherwise */
  language?: 'cs';
};

async function visit(
  browser: Browser,
  world: World,
  path: string,
  { as = STAFF, isShared, live, aheadMs, clock = false, viewport = DESKTOP, language, ...more }: VisitOptions,
): Promise<Visit> {
  const options: BrowserContextOptions = {
    baseURL: world.apiUrl,
    viewport,
    locale: 'en-GB',
    timezoneId: 'Europe/Prague',
    // Clicks wait for animations to end, and axe would measure a color in transition.
    reducedMotion: 'reduce',
    // Installing a worker takes a sixth of a visit's CPU, so only tests about one have it.
    serviceWorkers: 'block',
    ...more,
  };
  // A page is used again in any size.
  const kind = JSON.stringify({ ...options, viewport: null });
  const idle = IDLE.findIndex((one) => one.kind === kind && one.page.context().browser() === browser);
  const [used] = IDLE.splice(idle, idle < 0 ? 0 : 1);
  const isUsable = used && (await isDoneSoon(used.page.setViewportSize(viewport)));
  const page = (isUsable ? used.page : await (await browser.newContext(options)).newPage()) as Visit;
  page.setDefaultTimeout(WAIT_MS);
  const session = as && (await sessionOf(world, as));
  const device = await page.addInitScript(prepareDevice, { session, language, aheadMs });
  const faults: string[] = [];
  const expected: RegExp[] = [];
  page.on('console', (message) => {
    // The browser asks for it itself beside a document without a head, such as the one that `clear` opens.
    if (message.location().url.endsWith('/favicon.ico')) return;
    // Playwright's own script, now and then, in the frame of an email, which allows none (microsoft/playwright#33343).
    if (/^Blocked script execution in '[^']*\/sample-email\//.test(message.text())) return;
    if (message.type() === 'error' || /Content Security Policy/.test(message.text()))
      faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.expectFaults = (pattern) => void expected.push(pattern);
  page.checkFaults = () => {
    const patterns = expected.splice(0);
    const unexpected = faults.splice(0).filter((fault) => !patterns.some((pattern) => pattern.test(fault)));
    // As one text, since the report of a first try shortens lists.
    expect(unexpected.join('\n')).toBe('');
  };
  let hasLeft = false;
  const leave = async () => {
    if (hasLeft) return;
    hasLeft = true;
    checked.delete(page);
    // An installed clock would stay, without the times of requests.
    const isUsable = options.serviceWorkers === 'block' && !clock && !page.isClosed();
    if (isUsable && (await isDoneSoon(clear(page, device)))) IDLE.push({ kind, page });
    else await page.context().close();
    if (IDLE.length > MOST_IDLE) await IDLE.shift()?.page.context().close();
    page.checkFaults();
  };
  page.leave = leave;
  if (!isShared) onTestFinished(leave);
  const isListening = live && page.waitForResponse((response) => response.url().includes('/inbox/stream'));
  await page.goto(path);
  await isListening;
  if (clock) await page.clock.install();
  return page;
}

async function sessionOf(world: World, as: Who): Promise<string> {
  const permissions = as.roles?.includes('staff') ? PERMISSION_NAMES : ['events.view'];
  const token = await world.token({ ...world.scope, permissions, ...as });
  return JSON.stringify({ token, until: Date.now() + 86_400_000 * 366 * 20 });
}

/** Pages that visits have left, to be used again by a visit with the same options: a new page takes four times the CPU. */
const IDLE: { kind: string; page: Page }[] = [];
/** A page holds 100 MB. */
const MOST_IDLE = 4;

/** Whether work on a page succeeds soon. A browser has no time limit for some of it, and a page that hangs is left. */
const isDoneSoon = (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    work.then(
      () => true,
      () => false,
    ),
    delay(5_000, false),
  ]);

/** Leaves nothing of a visit in the page and its context except the cached scripts. */
async function clear(page: Page, device: Disposable): Promise<void> {
  await device.dispose();
  const context = page.context();
  page.removeAllListeners();
  await Promise.all(context.pages().map((one) => one !== page && one.close()));
  await Promise.all([page.unrouteAll(), context.setOffline(false), context.clearCookies(), page.mouse.move(0, 0)]);
  await page.emulateMedia({ media: null, colorScheme: null });
  // A picture of the same origin keeps the process of the page.
  await page.goto('/favicon.svg');
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
}

/** Goes from a page that has rendered to another one as a link does, since a load takes three times the CPU. */
export const go = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState(null, '', to), path);

const EVERY_LOOK = process.env.AXE === 'all';
/** The test in which a page was checked last. */
const checked = new WeakMap<Page, string>();

/** They take two thirds of axe's time. */
const SLOW_RULES = ['color-contrast', 'target-size'];
const WITHOUT_SLOW = Object.fromEntries(SLOW_RULES.map((rule) => [rule, { enabled: false }]));

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Violations of axe-core's rules on a page as it is shown. Its package for Playwright takes twice the CPU. */
async function violationsOn(page: Page, options: axeCore.RunOptions): Promise<string[]> {
  await page.evaluate(AXE);
  // Describing every element that passed would take more than half of the time, and loading the style sheets again, which
  // serves only rules about sound and an experimental one, an eighth. Framed emails have no scripts to check them with.
  const all: axeCore.RunOptions = { resultTypes: ['violations'], preload: false, iframes: false, ...options };
  const violations = await page.evaluate(async (given) => {
    const { axe } = window as unknown as { axe: typeof axeCore };
    return (await axe.run(document, given)).violations;
  }, all);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary ?? ''}`),
  );
}

/** Text of too little contrast, and controls that are too small to tap, on a page as it is shown. */
export const contrastFaults = (page: Page): Promise<string[]> => violationsOn(page, { runOnly: SLOW_RULES });

/**
 * Violations of axe-core's rules, and content that is wider than the screen; then restores the page. Runs axe once a visit, in
 * a look chosen by the name of the test and without the slow rules; `npm run accessibility` runs every rule at every call, for
 * each size in both themes.
 */
export async function axeFaults(page: Page, viewports = [DESKTOP, PHONE]): Promise<string[]> {
  const faults: string[] = [];
  const looks = viewports.flatMap((viewport) => (['light', 'dark'] as const).map((theme) => ({ viewport, theme })));
  const size = page.viewportSize() ?? DESKTOP;
  const { currentTestName: test = '' } = expect.getState();
  const nth = test.length % looks.length;
  const due = EVERY_LOOK ? looks : looks.slice(nth, checked.get(page) === test ? nth : nth + 1);
  checked.set(page, test);
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    // The page learns of its new size with the next frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (wide > 0) faults.push(`${viewport.width} px: ${wide} px too wide`);
    for (const { theme } of due.filter((look) => look.viewport === viewport)) {
      await page.emulateMedia({ colorScheme: theme });
      const found = await violationsOn(page, EVERY_LOOK ? {} : { rules: WITHOUT_SLOW });
      faults.push(...found.map((fault) => `${theme} at ${viewport.width} px: ${fault}`));
    }
  }
  if (due.length > 0) await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(size);
  return faults;
}
