import type { Locator, Page } from 'playwright-core';

/** Two months ahead, so that its week and month lie in the future in every zone. */
export const DAY = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);

export const MATCH = {
  event_type: 'sports',
  visibility: 'internal',
  start_date: DAY,
  end_date: DAY,
  start_time: '10:00',
  end_time: '11:00',
};
export const at = (view: string, more = '') => `/events?view=${view}&date=${DAY}${more}`;

export const entry = (page: Page, title: string | RegExp): Locator =>
  page.locator('[data-entry]', { hasText: title }).first();
export const menuItems = async (page: Page): Promise<string[]> => {
  await page.getByRole('menu').waitFor();
  const items = await page.getByRole('menuitem').allTextContents();
  await page.keyboard.press('Escape');
  return items.map((item) => item.trim());
};
