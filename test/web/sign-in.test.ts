import { beforeAll, expect, it } from 'vitest';
import { axeFaults, describeWeb, openSite, type Site } from './browser.ts';

describeWeb('sign-in', () => {
  let world: Site;
  beforeAll(async () => {
    world = await openSite();
  });

  it('redirects to the identity provider and back to the requested page', async () => {
    const page = await world.visit('/statistics', { as: null });
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
    const page = await world.visit('/events');
    page.expectFaults(/401/);
    await page.getByRole('button', { name: /Account/ }).waitFor();
    await page.evaluate(() => {
      localStorage.setItem('session', JSON.stringify({ token: 'x.y.z', until: Date.now() + 1e6 }));
      window.dispatchEvent(new StorageEvent('storage', { key: 'session' }));
    });
    await page.waitForURL('**/sign-in?next=*');
    await page.leave();
  });

  it('appears in Czech in a Czech browser, and passes axe', async () => {
    const page = await world.visit('/sign-in', { as: null, language: 'cs' });
    await page.getByRole('button', { name: 'Přihlásit se' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('cs');
    expect(await axeFaults(page)).toEqual([]);
    await page.leave();
  });
});
