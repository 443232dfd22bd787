import { expect, it } from 'vitest';
import { E } from '../../../support/world.ts';
import { axeFaults, DESKTOP, describeWeb, go, PARENT, provideSite } from '../../support/browser.ts';
import { createEvent } from '../../support/site-events.ts';
import { CONCERT, FAMILY, limited, register, soon } from '../concert.ts';

const SMALL = { width: 320, height: 640 };

describeWeb('check-in at the door', () => {
  const world = provideSite('UTC', FAMILY);

  it('lets a parent check in a child with the code that staff show', async () => {
    const id = await createEvent(world, { ...CONCERT, ...limited(5), ...soon() });
    await register(world, id, 'student-1');
    const staff = await world.visit(`/events/${id}`);
    await staff.getByRole('button', { name: 'Check-in code' }).click();
    const door = staff.getByRole('dialog');
    await door.getByText('0 of 1 checked in (0%)').waitFor();
    const shown = door.getByRole('status', { name: 'Check-in code' }).filter({ hasText: /^\d{6}$/ });
    const code = (await shown.textContent()) ?? '';
    await door.getByText(/It changes at \d\d:\d\d\.$/).waitFor();
    expect(await axeFaults(staff)).toEqual([]);
    await staff.setViewportSize(SMALL);
    expect((await shown.boundingBox())?.width).toBeLessThan(270);
    await staff.setViewportSize(DESKTOP);

    const parent = await world.visit(`/events/${id}?check_in=${code}`, { as: PARENT, viewport: SMALL });
    const box = parent.getByRole('region', { name: 'Registration' });
    const field = box.getByLabel('Code shown at the door');
    expect(await field.inputValue()).toBe(code);
    await expect.poll(() => field.evaluate((one) => one.getBoundingClientRect().bottom < innerHeight)).toBe(true);
    parent.expectFaults(/409/);
    await field.fill(code === '000000' ? '000001' : '000000');
    await box.getByRole('button', { name: 'Eliška Nováková is here' }).click();
    await box.getByText('This code is wrong or has expired.', { exact: false }).waitFor();
    await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await box.getByRole('button', { name: 'Eliška Nováková is here' }).click();
    await box.getByText(/^Checked in/).waitFor();
    expect(await field.count()).toBe(0);
    expect(await parent.getByRole('button', { name: 'Cancel registration' }).count()).toBe(0);
    await parent.leave();

    expect((await world.call('POST', `${E}/${id}/start`, {})).status).toBe(200);
    await staff.reload();
    await staff.getByText('1 of 1 checked in (100%)').waitFor();
  });

  it('says when check-in opens if it is too early, and shows the code once it opens', async () => {
    const page = await world.visit(`/events/${await createEvent(world, { ...CONCERT, ...limited(5) })}`);
    page.expectFaults(/409/);
    await page.getByRole('button', { name: 'Check-in code' }).click();
    const door = page.getByRole('dialog');
    await door.getByText(/^Check-in opens .+, 17:00/).waitFor();
    await door.getByRole('button', { name: 'Close' }).click();

    // The first answer is that it is too early, so that a code shows that the client asked again.
    const inOneSecond = () => ({ code: 'check_in_not_open', opens_at: new Date(Date.now() + 1_000).toISOString() });
    await page.route('**/check_in', (route) => route.fulfill({ status: 409, json: inOneSecond() }), { times: 1 });
    await go(page, `/events/${await createEvent(world, { ...CONCERT, ...limited(5), ...soon(), title: 'Match' })}`);
    await page.getByRole('heading', { name: 'Match' }).waitFor();
    await page.getByRole('button', { name: 'Check-in code' }).click();
    await door.getByText(/^\d{6}$/).waitFor();
  });
});
