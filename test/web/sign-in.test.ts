import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from '../support/world.ts';
import { axeFaults, DESKTOP, describeWeb, openBrowser, PHONE, visit } from './browser.ts';

describeWeb('sign-in', () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([startWorld({ start: ['api'] }), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await world?.end();
  });

  it('redirects to the identity provider and back to the requested page', async () => {
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

  it('is required again when the API rejects the token', async () => {
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
      it(`passes axe, ${theme} at ${viewport.width} px`, async () => {
        const page = await visit(browser, world, '/sign-in', { as: null, theme, viewport });
        await page.getByRole('button', { name: 'Sign in' }).waitFor();
        expect(await axeFaults(page)).toEqual([]);
        await page.leave();
      });

  it('appears in Czech in a Czech browser', async () => {
    const page = await visit(browser, world, '/sign-in', { as: null, language: 'cs' });
    await page.getByRole('button', { name: 'Přihlásit se' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('cs');
    await page.leave();
  });
});
