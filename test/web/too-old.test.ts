import { expect, it } from 'vitest';
import { describeWeb, provideSite } from './support/browser.ts';

describeWeb('a browser that is too old for the client', () => {
  const site = provideSite();

  it('says so, in English and Czech, also if none of the scripts run', async () => {
    const page = await site.visit('/sign-in', { as: null });
    const sentences = page.getByText(/too old for Schoolbell|pro Schoolbell příliš starý/);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await sentences.first().isVisible()).toBe(false);
    page.expectFaults(/ERR_FAILED/);
    await page.route(/\.js$/, (route) => route.abort());
    await page.route(/\.css$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll(':popover-open', ':unknown') });
    });
    await page.reload();
    await expect.poll(async () => (await sentences.allInnerTexts()).length).toBe(2);
    expect(await sentences.first().isVisible()).toBe(true);
  });
});
