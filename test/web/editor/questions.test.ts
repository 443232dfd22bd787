import { expect, it } from 'vitest';
import { axeFaults, DESKTOP, describeWeb, newName, openSite } from '../support/browser.ts';

describeWeb('the questions of an event in the form', () => {
  it('are added, changed, removed and saved with the draft', async () => {
    const world = await openSite();
    const title = newName('Trip');
    const page = await world.visit('/events/new');
    await page.getByLabel('Title', { exact: true }).fill(title);
    await page.getByRole('link', { name: /Registration/ }).click();
    expect(await page.getByRole('button', { name: 'Add a question' }).count()).toBe(0);
    await page.getByRole('radio', { name: /^Optional/ }).check();
    const add = page.getByRole('button', { name: 'Add a question' });
    await add.click();
    await page.getByLabel('Question 1', { exact: true }).fill('Allergies');
    await add.click();
    await page.getByLabel('Question 2', { exact: true }).fill('Lunch');
    await page.getByLabel('Answer').nth(1).selectOption('One of several options');
    await page.getByLabel('Options, one on each line').fill('Soup\n\n Salad ');
    await page.getByRole('checkbox', { name: 'Required' }).nth(1).uncheck();
    expect(await axeFaults(page)).toEqual([]);
    const stored = async () =>
      (await world.database.collection('events').findOne({ title }))?.registration_questions ?? [];
    await expect.poll(stored).toMatchObject([
      { type: 'text', label: 'Allergies', required: true },
      { type: 'choice', label: 'Lunch', options: ['Soup', 'Salad'], required: false },
    ]);
    // The next question is below the pointer then.
    await page.getByRole('button', { name: 'Remove: Allergies' }).dblclick();
    await expect.poll(stored).toMatchObject([{ label: 'Lunch' }]);
    await page.reload();
    page.expectFaults(/422/);
    await add.click();
    await page.getByLabel('Question 2', { exact: true }).and(page.locator(':focus')).waitFor();
    // The API has refused the blank question, and the field does not say so yet.
    await page.getByText('Some fields need attention').waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(0);
    // After a try to publish it does, but not that of the next new question.
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await add.click();
    await page.getByLabel('Question 3', { exact: true }).and(page.locator(':focus')).waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(1);
    await page.getByRole('button', { name: 'Remove: Question 3' }).click();
    await page.getByRole('link', { name: /More details/ }).click();
    // A blank attachment is not saved, and the error of the next one stays in its place.
    const names = page.getByRole('textbox', { name: 'Name', exact: true });
    await page.getByRole('button', { name: 'Add a link' }).click();
    await names.and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Add a link' }).click();
    await names.nth(1).fill('Plan');
    await page.getByRole('link', { name: /Registration/ }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    // On a small phone with text of double size.
    await page.setViewportSize({ width: 320, height: 640 });
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.setViewportSize(DESKTOP);
    await page.evaluate(() => document.documentElement.removeAttribute('style'));
    await page.getByRole('link', { name: /More details/ }).click();
    const links = page.getByRole('textbox', { name: 'Link', exact: true });
    await links.nth(1).and(page.locator('[aria-invalid=true]')).waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(1);
  });
});
