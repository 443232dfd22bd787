import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from '../support/world.ts';
import { axeFaults, DESKTOP, describeWeb, openBrowser, PHONE, visit } from './browser.ts';

describeWeb('signing in', () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld({ start: ['api'] }), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.end();
  });

  it('leads through the provider and back to the page that was asked for', async () => {
    const page = await visit(browser, world, '/statistics', { as: null });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Member of staff' }).click();
    await page.waitForURL('**/statistics');
    await page.getByRole('button', { name: /Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await page.goto('/events');
    await page.waitForURL('**/sign-in?next=*');
    await page.leave();
  });

  it('is asked for again when the token is no longer taken', async () => {
    const page = await visit(browser, world, '/events');
    page.expectFaults(/401/);
    await page.getByRole('button', { name: /Account/ }).waitFor();
    await page.evaluate(() => {
      localStorage.setItem('session', JSON.stringify({ token: 'x.y.z', until: Date.now() + 1e6 }));
      window.dispatchEvent(new StorageEvent('storage', { key: 'session' }));
    });
    await page.waitForURL('**/sign-in?next=*');
    await page.leave();
  });

  for (const theme of ['light', 'dark'] as const)
    for (const viewport of [PHONE, DESKTOP])
      it(`has no fault that axe knows, ${theme} at ${viewport.width}`, async () => {
        const page = await visit(browser, world, '/sign-in', { as: null, theme, viewport });
        await page.getByRole('button', { name: 'Sign in' }).waitFor();
        expect(await axeFaults(page)).toEqual([]);
        await page.leave();
      });

  it('speaks Czech to those whose browser does', async () => {
    const page = await visit(browser, world, '/sign-in', { as: null, language: 'cs' });
    await page.getByRole('button', { name: 'Přihlásit se' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('cs');
    await page.leave();
  });
});
