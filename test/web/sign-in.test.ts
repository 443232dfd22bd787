import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeFaults, describeWeb, go, newName, provideSite } from './support/browser.ts';

async function signIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Member of staff' }).click();
}

describeWeb('sign-in', () => {
  const world = provideSite();

  it('leads over the identity provider to the requested page, is renewed when a person returns after it ended, and ends with the sign-out', async () => {
    const page = await world.visit('/statistics', { as: null });
    await signIn(page);
    await page.waitForURL('**/statistics');
    await page.evaluate(() => {
      const { token } = JSON.parse(localStorage.getItem('session') ?? '{}');
      localStorage.setItem('session', JSON.stringify({ token, until: 1 }));
    });
    await page.goto('/inbox');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    expect(await page.evaluate(() => JSON.parse(localStorage.getItem('session') ?? '{}').until)).toBeGreaterThan(1);
    await page.getByRole('button', { name: /Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await page.getByText('You have signed out.').waitFor();
    await go(page, '/events');
    await page.waitForURL('**/sign-in?next=*');
  });

  it('ends in all tabs of the browser, with the tokens, when a person signs out in one', async () => {
    const page = await world.visit('/inbox', { as: null });
    await signIn(page);
    await page.waitForURL('**/inbox');
    const other = await page.context().newPage();
    await other.goto('/statistics');
    await other.getByRole('button', { name: /Account/ }).waitFor();
    await page.getByRole('button', { name: /Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You have signed out.').waitFor();
    await other.waitForURL('**/sign-in?next=*');
    const kept = await page.evaluate(() =>
      Object.keys(localStorage).filter((key) => /^(session|oidc\.user)/.test(key)),
    );
    expect(kept).toEqual([]);
  });

  it('is asked for over the page when the API rejects the token, and keeps what was typed', async () => {
    const page = await world.visit('/events/new', { as: null });
    page.expectFaults(/401|ERR_FAILED/);
    await signIn(page);
    await page.getByLabel('Title', { exact: true }).waitFor();
    // As after an update of the server.
    await page.route('**/assets/provider-*', (route) => route.abort());
    await page.reload();
    await page.getByLabel('Title', { exact: true }).fill(newName('Concert'));
    await page.evaluate(() => {
      const { until } = JSON.parse(localStorage.getItem('session') ?? '{}');
      localStorage.setItem('session', JSON.stringify({ token: 'x.y.z', until }));
      // As with a provider that gives no refresh tokens.
      for (const key of Object.keys(localStorage)) if (key.startsWith('oidc.')) localStorage.removeItem(key);
      window.dispatchEvent(new StorageEvent('storage', { key: 'session' }));
    });
    const dialog = page.getByRole('dialog', { name: 'You have been signed out' });
    const [other] = await Promise.all([
      page.waitForEvent('popup'),
      dialog.getByRole('link', { name: 'Sign in' }).click(),
    ]);
    await other.getByText('Sign in again to continue').waitFor();
    await signIn(other);
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toMatch(/^Concert/);
    await page.getByText('Draft saved').waitFor();
  });

  it('leaves no word of an ended session in a form once a person has signed in again', async () => {
    const page = await world.visit('/messages/texts', { as: null });
    await signIn(page);
    page.expectFaults(/401/);
    const write = async () => {
      await page.getByRole('button', { name: 'Add a text' }).click();
      await page.getByLabel('Name', { exact: true }).fill(newName('Snow'));
      await page.getByLabel('Subject').first().fill('No school tomorrow');
      await page.getByLabel('Message').first().fill('It snows.');
    };
    const save = page.getByRole('dialog').getByRole('button', { name: 'Save changes' });
    const refuse = { status: 401, json: { code: 'unauthenticated' } };
    // Renewed without asking, the session takes the change.
    await page.route('**/saved-texts', (route) => route.fulfill(refuse), { times: 1 });
    await write();
    await save.click();
    await page.getByText('Text saved').waitFor();
    await page.getByText('Text saved').waitFor({ state: 'detached' });

    await write();
    // As with a provider that gives no refresh tokens.
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('oidc.')) localStorage.removeItem(key);
    });
    await page.route('**/saved-texts', (route) => route.fulfill(refuse));
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'You have been signed out' });
    const [other] = await Promise.all([
      page.waitForEvent('popup'),
      dialog.getByRole('link', { name: 'Sign in' }).click(),
    ]);
    // Until the first try has failed for good.
    await expect.poll(() => save.getAttribute('aria-busy')).toBeNull();
    await page.unroute('**/saved-texts');
    await signIn(other);
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByText('signed out', { exact: false }).count()).toBe(0);
    await save.click();
    await page.getByText('Text saved').waitFor();
  });

  it('names the school once the device knows it, leads to the public calendar, and says that an earlier one has ended', async () => {
    const { name, id } = { name: newName('Lipová'), id: world.scope.school_id };
    await world.call('PUT', '/api/v1/operations/school', { name, timezone: 'UTC', locale: 'en' });
    const page = await world.visit('/sign-in', { as: null });
    await page.getByRole('heading', { name: 'Schoolbell' }).waitFor();
    expect(await page.getByRole('link', { name: 'See the public calendar' }).count()).toBe(0);
    await go(page, `/public/${id}`);
    await page.getByText(name, { exact: true }).first().waitFor();
    await go(page, '/sign-in');
    await page.getByRole('heading', { name }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name: 'See the public calendar' }).click();
    await page.waitForURL(`**/public/${id}`);
    await page.evaluate(() => localStorage.setItem('session', JSON.stringify({ token: 'x', until: 1 })));
    await page.goto('/inbox');
    await page.getByText('You have been signed out').waitFor();
  });

  it('says why the API refuses a token, or only that an account has no access, keeps no token, and offers another account', async () => {
    const page = await world.visit('/sign-in', { as: null });
    page.expectFaults(/401/);
    const detail = 'The directory has no one with your e-mail address.';
    await page.route('**/api/v1/me', (route) =>
      route.fulfill({
        status: 401,
        json: { code: 'unauthenticated', reason: 'unknown_person', claim: 'email', detail },
      }),
    );
    await signIn(page);
    await page.getByText('Your school does not know the email address of this account.').waitFor();
    await page.getByText(`For the person who looks after accounts: ${detail}`).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.waitForURL('**/sign-in');
    await page.route('**/api/v1/me', (route) => route.fulfill({ status: 401, json: { code: 'unauthenticated' } }));
    await signIn(page);
    await page.getByText('Your account has no access to this calendar.').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('session'))).toBeNull();
    await page.goto('/sign-in/back?error=access_denied&state=x');
    await page.getByText('Your account has no access to this calendar.').waitFor();
  });

  it('is renewed before it ends without a word, what was typed stays, and is asked for if the API refuses the new token', async () => {
    const page = await world.visit('/sign-in?next=/events/new', { as: null, clock: true });
    const until = () => page.evaluate(() => JSON.parse(localStorage.getItem('session') ?? '{}').until as number);
    await signIn(page);
    const title = newName('Concert');
    await page.getByLabel('Title', { exact: true }).fill(title);
    await page.getByText('Draft saved').waitFor();
    const before = await until();
    // The stand-in's tokens are valid for a day.
    await page.clock.fastForward(before - Date.now() - 60_000);
    await expect.poll(until).toBeGreaterThan(before);
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe(title);
    expect(await page.getByRole('dialog').count()).toBe(0);
    // A new token that the API refuses is not renewed again and again.
    page.expectFaults(/401/);
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 401, json: { code: 'unauthenticated' } }));
    await page.getByLabel('Title', { exact: true }).fill(newName('Ball'));
    await page.getByRole('dialog', { name: 'You have been signed out' }).waitFor();
  });
});
