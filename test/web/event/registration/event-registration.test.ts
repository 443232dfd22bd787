import { expect, it } from 'vitest';
import { E } from '../../../support/world.ts';
import { describeWeb, go, PARENT, provideSite, STUDENT } from '../../support/browser.ts';
import { createEvent, type Steps } from '../../support/site-events.ts';
import { CONCERT, FAMILY, limited, register } from '../concert.ts';

describeWeb('registration on the event page', () => {
  const world = provideSite('UTC', FAMILY);

  const make = (more: object = {}, steps?: Steps) => createEvent(world, { ...CONCERT, ...more }, steps);
  it('registers and cancels a child with the keyboard alone', async () => {
    const id = await make(limited(5));
    const page = await world.visit(`/events/${id}`, { as: PARENT });
    const box = page.getByRole('region', { name: 'Registration' });
    await box.getByText('5 of 5 places left').waitFor();
    await box.getByRole('button', { name: 'Register' }).focus();
    await page.keyboard.press('Enter');
    // The only child is preselected.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    for (const _ of ['Eliška', 'note']) await page.keyboard.press('Tab');
    await page.keyboard.type('Two chairs, please');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await box.getByText('Eliška Nováková is registered').waitFor();
    await box.getByText('4 of 5 places left').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Eliška Nováková is registered');
    const { body } = await world.call('GET', `${E}/${id}/registrations`);
    expect(body.data).toMatchObject([{ user_id: 'student-1', notes: 'Two chairs, please', status: 'confirmed' }]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel registration' }).click();
    await box.getByText('5 of 5 places left').waitFor();
    await expect.poll(() => box.locator('[data-registration]').count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Register');
  });

  it('lets screen readers hear that a registration was cancelled', async () => {
    const id = await make(limited(5));
    await register(world, id, 'student-1');
    const page = await world.visit(`/events/${id}`, { as: PARENT });
    const heard: string[] = [];
    await page.exposeFunction('hear', (text: string) => heard.push(text));
    await page.evaluate(() => {
      // They read what a live region receives, but not what it appears with.
      const hear = ({ target }: MutationRecord) => {
        const changed = target as Element;
        if (changed.closest('[role=status]') && !changed.closest('[aria-hidden=true]'))
          Reflect.get(window, 'hear')(changed.textContent);
      };
      const what = { subtree: true, childList: true, attributeFilter: ['aria-hidden'] };
      new MutationObserver((changes) => changes.forEach(hear)).observe(document.body, what);
    });
    await page.getByRole('button', { name: 'Cancel registration: Eliška Nováková' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel registration' }).click();
    await expect.poll(() => heard).toContain('Registration cancelled');
  });

  it('gives the last place to one of two browsers and offers the other the waitlist', async () => {
    const id = await make(limited(1));
    const [one, two] = await Promise.all([
      world.visit(`/events/${id}`, { as: STUDENT }),
      world.visit(`/events/${id}`, { as: { user_id: 'student-2', roles: ['student'] } }),
    ]);
    for (const page of [one, two]) {
      page.expectFaults(/409/);
      await page.getByRole('button', { name: 'Register' }).click();
    }
    await Promise.all([one, two].map((page) => page.locator('form').getByRole('button', { name: 'Register' }).click()));
    const outcome = (page: typeof one) =>
      Promise.race([
        page
          .getByText('You are registered')
          .first()
          .waitFor()
          .then(() => 'registered'),
        page
          .getByText('The last place has just been taken. Join the waitlist?')
          .waitFor()
          .then(() => 'asked'),
      ]);
    const outcomes = await Promise.all([outcome(one), outcome(two)]);
    expect([...outcomes].sort()).toEqual(['asked', 'registered']);
    const loser = outcomes[0] === 'asked' ? one : two;
    const count = async () =>
      ((await world.call('GET', `${E}/${id}/registrations`)).body.data as unknown as unknown[]).length;
    expect(await count()).toBe(1);
    await loser.getByRole('alert').getByRole('button', { name: 'Join the waitlist' }).click();
    await loser.getByText('You are number 1 on the waitlist').waitFor();
    expect(await count()).toBe(2);
  });

  it('explains why registration is closed, and does not invite to a cancelled event', async () => {
    const cases: [string, Record<string, unknown>, Steps][] = [
      ['No registration needed. Just come.', {}, [['publish']]],
      ['Registration opens when the event is published.', limited(3), []],
      ['Registration has closed.', limited(3), [['publish'], ['start'], ['complete']]],
      ['This event is full and has no waitlist.', limited(1, { waitlist_enabled: false }), [['publish']]],
    ];
    const cancelled = await make({}, [['publish'], ['cancel', { reason: 'Snow' }]]);
    const page = await world.visit(`/events/${cancelled}`, { live: true });
    await page.getByText('This event is cancelled.').waitFor();
    expect(await page.getByRole('button', { name: 'Add to my calendar' }).count()).toBe(0);
    expect(await page.getByText('Just come').count()).toBe(0);
    await go(page, `/events/${await make({ title: 'School is closed', event_type: 'holiday' })}`);
    await page.getByRole('heading', { name: 'School is closed' }).waitFor();
    expect(await page.getByRole('region', { name: 'Registration' }).count()).toBe(0);
    for (const [words, fields, then] of cases) {
      const id = await make(fields, then);
      if (fields.waitlist_enabled === false) await register(world, id, 'eva');
      await go(page, `/events/${id}`);
      await page.getByRole('region', { name: 'Registration' }).getByText(words).waitFor();
      expect(await page.getByRole('button', { name: 'Register' }).count()).toBe(0);
      if (words === 'Registration has closed.') expect(await page.getByTestId('spots').count()).toBe(0);
    }
    const id = await make(limited(1, { waitlist_enabled: false }));
    await go(page, `/events/${id}`);
    await page.getByRole('button', { name: 'Register' }).click();
    const form = page.locator('form');
    await form.getByLabel('Note for the organizer').fill('Two chairs');
    await register(world, id, 'eva');
    await form.getByText('This event is full and has no waitlist.').waitFor();
    expect(await form.getByRole('button', { name: 'Register' }).isDisabled()).toBe(true);
    expect(await form.getByLabel('Note for the organizer').inputValue()).toBe('Two chairs');
  });

  it('shows the position on the waitlist, and offers another person to join it', async () => {
    const id = await make(limited(1));
    for (const name of ['eva', 'jan', 'student-1']) await register(world, id, name);
    const page = await world.visit(`/events/${id}`, { as: PARENT });
    await page.getByText('Eliška Nováková is number 2 on the waitlist').waitFor();
    await page.getByText('Full, 2 on the waitlist').waitFor();
    await page.getByRole('button', { name: 'Join the waitlist' }).click();
    await page.locator('form').getByRole('button', { name: 'Join the waitlist' }).click();
    await page.getByText('You are number 3 on the waitlist').waitFor();
  });

  it('names no deadline while an event has no date, also on the public page', async () => {
    const id = await make(limited(3, { visibility: 'public' }));
    const page = await world.visit(`/events/${id}`, { as: PARENT, live: true });
    const deadline = page.getByText('Register by');
    await deadline.first().waitFor();
    await world.call('POST', `${E}/${id}/postpone`, { reason: 'Snow', new_start_date: null });
    await expect.poll(() => deadline.count()).toBe(0);
    await go(page, `/public/${world.scope.school_id}?date=${CONCERT.start_date}&event=${id}`);
    await page.getByText('3 of 3 places left').waitFor();
    expect(await deadline.count()).toBe(0);
  });

  it('tells attendees of a postponed event that they keep their place unless they give it up, but not those who wait for one', async () => {
    const id = await make(limited(1));
    for (const user_id of ['student-1', 'parent-1']) await register(world, id, user_id);
    await world.call('POST', `${E}/${id}/postpone`, { reason: 'Snow', new_start_date: '2027-04-01' });
    const page = await world.visit(`/events/${id}`, { as: PARENT });
    await expect
      .poll(() => page.getByTestId('banner').textContent())
      .toBe('This event is postponed.New date: Thursday, 1 April 2027. Snow');
    await page.getByText('You are number 1 on the waitlist').waitFor();
    await page.getByText('you keep your place').waitFor();
    await page.getByRole('button', { name: 'Give up my place' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Give up my place' }).click();
    await expect.poll(() => page.locator('[data-registration]').count()).toBe(1);
  });
});
