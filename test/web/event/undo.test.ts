import { expect, it } from 'vitest';
import { contactOf, draft, E, eventually } from '../../support/world.ts';
import { axeFaults, DESKTOP, describeWeb, go, newName, PHONE, provideSite, type Visit } from '../support/browser.ts';

describeWeb('the undo of an action', () => {
  const world = provideSite(undefined, [contactOf(1)]);

  async function created(title: string): Promise<string> {
    const { body } = await world.call('POST', E, draft({ title, target_audience: ['students'] }));
    return String(body.id);
  }

  const statusOf = async (id: string) => (await world.call('GET', `${E}/${id}`)).body.status as unknown;
  const mailsOf = (id: string) =>
    world
      .accepted()
      .filter((line) => line.event === id && line.channel === 'email')
      .map(({ trigger }) => trigger);

  async function publish(page: Visit): Promise<void> {
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish and notify 1 person' }).click();
  }

  it('takes a publication back by keyboard on another page, and sends the next one when its time is over', async () => {
    const title = newName('Trip');
    const id = await created(title);
    for (const description of ['A', 'B']) await world.call('PATCH', `${E}/${id}`, { description });
    const page = await world.visit(`/events/${id}`);
    await publish(page);
    const notice = page.getByRole('status').filter({ hasText: `Published: ${title}. 1 person will be notified in` });
    await notice.waitFor();
    expect(await statusOf(id)).toBe('published');
    await page.getByRole('link', { name: 'Calendar', exact: true }).first().click();
    await page.waitForURL(/\/events(\?|$)/);
    await notice.waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('Undone. No one was notified.').waitFor();
    expect(await statusOf(id)).toBe('draft');

    await go(page, `/events/${id}`);
    await publish(page);
    await notice.getByRole('button', { name: 'Undo' }).waitFor();
    expect(await axeFaults(page, [DESKTOP])).toEqual([]);
    await notice.waitFor({ state: 'detached' });
    await eventually('the mail is sent', () => mailsOf(id).length > 0);
    expect(mailsOf(id)).toEqual(['event.published']);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('Published', { exact: true }).first().waitFor();
    await history.getByText('Edited × 2').waitFor();
    await page.getByRole('region', { name: 'Delivery report' }).getByText('1 of 1 person reached').waitFor();
  });

  it('takes a publication back after a reload of the page', async () => {
    const id = await created(newName('Show'));
    const page = await world.visit(`/events/${id}`);
    await publish(page);
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await page.reload();
    await undo.click();
    await page.getByText('Undone. No one was notified.').waitFor();
    expect(await statusOf(id)).toBe('draft');
    await page.reload();
    await page.getByTestId('banner').waitFor();
    expect(await undo.count()).toBe(0);
  });

  it('takes a deletion back on a phone', async () => {
    const id = await created(newName('Fair'));
    const page = await world.visit(`/events/${id}`, { viewport: PHONE });
    // The page reads its delivery report every two seconds, also while the event is being deleted.
    page.expectFaults(/404/);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    expect((await world.call('GET', `${E}/${id}`)).status).toBe(404);
    await undo.click();
    await page.getByText('Undone. No one was notified.').waitFor();
    expect(await statusOf(id)).toBe('draft');
  });
});
