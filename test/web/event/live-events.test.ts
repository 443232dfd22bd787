import { expect, it } from 'vitest';
import { draft, E } from '../../support/world.ts';
import { describeWeb, newName, PARENT, provideSite, STUDENT } from '../support/browser.ts';
import { createEvent } from '../support/site-events.ts';

describeWeb('pages about events that others change', () => {
  const world = provideSite();
  const post = async (path: string, body: object = {}) => (await world.call('POST', `${E}${path}`, body)).body;
  const make = (more: object) => createEvent(world, draft({ visibility: 'internal', ...more }));

  it('show published, moved, cancelled and unpublished events in the calendar without a reload', async () => {
    const [concert, match] = [newName('Concert'), newName('Match')];
    const page = await world.visit('/events?view=agenda', { as: PARENT, live: true });
    const line = page.getByRole('link', { name: new RegExp(concert) });
    const id = await make({ title: concert });
    await line.waitFor();
    await world.call('PATCH', `${E}/${id}`, { start_time: '17:30' });
    await expect.poll(() => line.textContent()).toContain('17:30');
    const off = await make({ title: match });
    await page.getByRole('link', { name: new RegExp(match) }).waitFor();
    await post(`/${off}/cancel`, { reason: 'Snow' });
    await page.getByRole('link', { name: new RegExp(`${match}.*Cancelled`) }).waitFor();
    await post(`/${id}/unpublish`);
    await expect.poll(() => line.count()).toBe(0);
  });

  it('show changes also in Safari 17.0, which has no AbortSignal.any', async () => {
    const page = await world.visit('/events?view=agenda', { as: PARENT });
    const older = await page.addInitScript(() => void Reflect.deleteProperty(AbortSignal, 'any'));
    const stream = page.waitForResponse(/\/inbox\/stream/);
    await page.reload();
    await stream;
    const title = newName('Concert');
    await make({ title });
    await page.getByRole('link', { name: new RegExp(title) }).waitFor();
    await older.dispose();
  });

  it('end for a parent once the event is unpublished, and come back once it is published again', async () => {
    const id = await make({ title: newName('Play') });
    const page = await world.visit(`/events/${id}`, { as: PARENT, live: true });
    page.expectFaults(/404/);
    await page.getByRole('button', { name: 'Add to my calendar' }).waitFor();
    await post(`/${id}/unpublish`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await post(`/${id}/publish`);
    await page.getByRole('button', { name: 'Add to my calendar' }).waitFor();
  });

  it('show a promotion from the waitlist on the event page without a reload', async () => {
    const id = await make({
      registration_type: 'required',
      max_attendees: 1,
      waitlist_enabled: true,
      registration_deadline: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const first = await post(`/${id}/registrations`, { kind: 'attendee', user_id: 'eva' });
    await post(`/${id}/registrations`, { kind: 'attendee', user_id: 'student-1' });
    const page = await world.visit(`/events/${id}`, { as: STUDENT, live: true });
    await page.getByText('You are number 1 on the waitlist').waitFor();
    await post(`/${id}/registrations/${first.id}/cancel`);
    await page.getByText('You are registered').waitFor();
  });
});
