import { expect, it } from 'vitest';
import { axeFaults, describeWeb, newName, provideSite, type Visit } from '../browser.ts';

describeWeb('the errors of the event form', () => {
  const world = provideSite();
  const focused = (page: Visit) => page.evaluate(() => document.activeElement?.getAttribute('name'));

  it('are listed on top in the reader’s language, each a link that focuses its field on any step', async () => {
    const page = await world.visit('/events/new?step=registration', { language: 'cs' });
    page.expectFaults(/422/);
    await page.getByRole('radio', { name: /Povinné/ }).check();
    // A frame may come before React has rendered the list.
    await page.evaluate(() => {
      window.requestAnimationFrame = (run) => {
        run(0);
        return 0;
      };
    });
    await page.getByRole('button', { name: 'Zveřejnit…' }).click();
    const problems = page.getByRole('region', { name: 'Něco je potřeba opravit' });
    await problems.waitFor();
    const listIsFocused = () =>
      expect.poll(() => problems.evaluate((one) => one === document.activeElement)).toBe(true);
    await listIsFocused();
    expect(await axeFaults(page)).toEqual([]);
    await problems.getByRole('link', { name: 'Zadejte název' }).click();
    await page.waitForURL('**step=basics**');
    await expect.poll(() => focused(page)).toBe('title');
    await page.keyboard.type(newName('Výlet'));
    await page.getByText('Některá pole').waitFor();
    await page.getByRole('button', { name: 'Zveřejnit…' }).click();
    // The list has been there since the first try, and takes the focus once the draft is saved.
    await listIsFocused();
    await problems.getByRole('link', { name: 'Zadejte počet míst' }).click();
    await page.waitForURL('**step=registration**');
    await expect.poll(() => focused(page)).toBe('max_attendees');
    expect(await problems.textContent()).not.toMatch(/[a-z]_[a-z]|must|Enter/);
    await page.keyboard.type('20');
    await problems.getByRole('link', { name: 'Zadejte počet míst' }).waitFor({ state: 'detached' });
    await problems.getByRole('link', { name: 'Zadejte, do kdy se lze přihlásit' }).click();
    await expect.poll(() => focused(page)).toBe('registration_deadline');
  });

  it('appear at the field by the API’s schema, without asking the server', async () => {
    const page = await world.visit('/events/new');
    await page.getByLabel('Title', { exact: true }).waitFor();
    page.expectFaults(/ERR_FAILED/);
    await page.route('**/api/v1/operations/events', (route) => route.abort());
    await page.getByLabel('Title', { exact: true }).fill('x'.repeat(201));
    await page.getByText('Shorten this text.').waitFor();
    await page.getByLabel('Title', { exact: true }).fill('x'.repeat(200));
    await page.getByText('Shorten this text.').waitFor({ state: 'detached' });
  });
});
