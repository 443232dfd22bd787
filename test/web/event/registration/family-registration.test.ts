import { expect, it } from 'vitest';
import { contactOf, E } from '../../../support/world.ts';
import { axeFaults, describeWeb, newName, PHONE, provideSite } from '../../support/browser.ts';
import { createEvent } from '../../support/site-events.ts';
import { CONCERT, limited } from '../concert.ts';

const MOTHER = { user_id: 'mother', roles: ['parent' as const], children: ['eva', 'jan'] };
/** wider than a phone */
const RULES = 'https://school.example/documents/2026-27/photos-and-videos-of-pupils.pdf';
const QUESTIONS = [
  { id: 'allergies', type: 'text', label: 'Allergies', required: true },
  { id: 'lunch', type: 'choice', label: 'Lunch', options: ['Soup', 'Salad'], required: false },
  { id: 'photos', type: 'consent', label: `I agree that photos are taken: ${RULES}`, required: true },
];

describeWeb('a parent with children on a phone', () => {
  const world = provideSite('UTC', [
    contactOf(1, { user_id: 'eva', name: 'Eva Malá', roles: ['student'] }),
    contactOf(2, { user_id: 'jan', name: 'Jan Malý', roles: ['student'] }),
    contactOf(3, { user_id: 'mother', name: 'Olga Malá', roles: ['parent'] }),
  ]);

  const make = (more: object) => createEvent(world, { ...CONCERT, ...more });
  const visit = (id: string) => world.visit(`/events/${id}`, { as: MOTHER, viewport: PHONE });
  it('is not asked whether there is a place for everyone if there is one for anyone', async () => {
    const page = await visit(await make({ title: newName('Open air'), registration_type: 'optional' }));
    await page.getByTestId('bar').getByRole('button', { name: 'Register' }).click();
    const form = page.locator('form');
    for (const name of ['Eva Malá', 'Jan Malý']) await form.getByRole('checkbox', { name }).check();
    expect(await form.getByRole('checkbox').count()).toBe(3);
  });

  it('registers both in one step with answers for each, and changes them later', async () => {
    const id = await make({ title: newName('Trip'), ...limited(5), registration_questions: QUESTIONS });
    const page = await visit(id);
    await page.getByTestId('bar').getByRole('button', { name: 'Register' }).click();
    const form = page.locator('form');
    const submit = form.getByRole('button', { name: 'Register' });
    await submit.click();
    await form.getByText('Select who you are registering').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('checkbox');
    await form.getByRole('checkbox', { name: 'Myself' }).check();
    await form.getByRole('group', { name: 'Your answers' }).waitFor();
    await form.getByRole('checkbox', { name: 'Myself' }).uncheck();
    for (const name of ['Eva Malá', 'Jan Malý']) {
      const choice = form.getByRole('checkbox', { name });
      await choice.check();
      expect((await form.locator('label', { hasText: name }).first().boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    await form.getByRole('checkbox', { name: 'Register only if there is a place for everyone' }).check();

    await submit.click();
    await expect.poll(() => form.getByText('Enter an answer').count()).toBe(2);
    expect(await form.getByText('Select this box to agree').count()).toBe(2);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
    expect(await axeFaults(page, [PHONE])).toEqual([]);
    const of = (name: string) => form.getByRole('group', { name: `Answers for ${name}` });
    await of('Eva Malá').getByLabel('Allergies').fill('Nuts');
    await of('Eva Malá').getByLabel('Lunch (optional)').selectOption('Soup');
    await of('Jan Malý').getByLabel('Allergies').fill('None');
    // Answers that were typed are not lost by a link.
    page.once('dialog', (question) => question.dismiss());
    const [question] = await Promise.all([
      page.waitForEvent('dialog'),
      page.getByRole('link', { name: 'Inbox' }).click(),
    ]);
    expect(question.message()).toBe('Leave without saving your changes?');
    for (const name of ['Eva Malá', 'Jan Malý']) await of(name).getByLabel('I agree that photos are taken').check();
    expect(await form.getByText(/^(Enter an answer|Select this box to agree)$/).count()).toBe(0);
    await submit.click();

    const box = page.getByRole('region', { name: 'Registration' });
    await box.getByText('Eva Malá is registered').waitFor();
    await box.getByText('Jan Malý is registered').waitFor();
    await box.getByText('Nuts').waitFor();
    await box.getByRole('button', { name: 'Cancel registration: Jan Malý' }).waitFor();
    const change = box.getByRole('button', { name: 'Change answers: Jan Malý' });
    await change.click();
    // The focus goes to the form and back.
    const focused = page.locator(':focus');
    await form.getByLabel('Allergies').and(focused).fill('Milk');
    await form.getByRole('button', { name: 'Save answers' }).click();
    await box.getByText('Milk').waitFor();
    await change.and(focused).waitFor();
    const { body } = await world.call('GET', `${E}/${id}/registrations`);
    expect(body.data).toMatchObject([
      {
        user_id: 'eva',
        answers: [{ value: 'Nuts' }, { value: 'Soup' }, { value: true, consented_name: 'Olga Malá' }],
      },
      { user_id: 'jan', status: 'confirmed' },
    ]);
    await page.leave();

    const staff = await world.visit(`/events/${id}/registrations`);
    const row = staff.getByRole('row', { name: /Eva Malá/ });
    await row.getByText('Soup').waitFor();
    await row.getByText('Agreed').waitFor();
  });

  it('sees that too few places are free for both together, and registers one', async () => {
    const id = await make({ title: newName('Small trip'), ...limited(1, { waitlist_enabled: false }) });
    const page = await visit(id);
    page.expectFaults(/409/);
    await page.getByTestId('bar').getByRole('button', { name: 'Register' }).click();
    const form = page.locator('form');
    const choose = (name: string) => form.getByRole('checkbox', { name });
    for (const name of ['Eva Malá', 'Jan Malý']) await choose(name).check();
    await choose('Register only if there is a place for everyone').check();
    await form.getByRole('button', { name: 'Register' }).click();
    await form.getByText('Only 1 place is free. No one was registered.').waitFor();
    await choose('Jan Malý').uncheck();
    await form.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('region', { name: 'Registration' }).getByText('Eva Malá is registered').waitFor();
  });

  it('finds the form closed if the answer to it was lost, and the child registered once', async () => {
    const id = await make({ title: newName('Lost answer'), ...limited(5) });
    const page = await visit(id);
    page.expectFaults(/ERR_FAILED/);
    await page.getByTestId('bar').getByRole('button', { name: 'Register' }).click();
    for (const name of ['Eva Malá', 'Jan Malý']) await page.locator('form').getByRole('checkbox', { name }).check();
    await page.route('**/registrations/family', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.locator('form').getByRole('button', { name: 'Register' }).click();
    const box = page.getByRole('region', { name: 'Registration' });
    await box.getByText('Jan Malý is registered').waitFor();
    await page.locator('form').waitFor({ state: 'detached' });
    const { body } = await world.call('GET', `${E}/${id}/registrations`);
    expect(body.data).toHaveLength(2);
  });

  it('learns that one of them waits before they register', async () => {
    const id = await make({ title: newName('Half trip'), ...limited(2) });
    await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id: 'mother' });
    const page = await visit(id);
    await page.getByTestId('bar').getByRole('button', { name: 'Register a child' }).click();
    const form = page.locator('form');
    for (const name of ['Eva Malá', 'Jan Malý']) await form.getByRole('checkbox', { name }).check();
    await form.getByText('Only 1 place is free. The others join the waitlist.').waitFor();
    await form.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Eva Malá is registered, Jan Malý is on the waitlist').waitFor();
    await page.getByText('Jan Malý is number 1 on the waitlist').waitFor();
  });

  it('registers a child whom the directory does not know after themselves', async () => {
    const id = await make({ title: newName('New child'), ...limited(5) });
    await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id: 'mother' });
    const as = { ...MOTHER, children: ['new-child'] };
    const page = await world.visit(`/events/${id}`, { as, viewport: PHONE });
    await page.getByTestId('bar').getByRole('button', { name: 'Register a child' }).click();
    await page.locator('form').getByRole('button', { name: 'Register' }).click();
    await page.getByRole('region', { name: 'Registration' }).getByText('new-child is registered').waitFor();
  });

  it('is asked by staff to answer a question that was added later, and chooses anew from options that were changed', async () => {
    const [allergies, lunch] = QUESTIONS;
    const id = await make({ title: newName('Later'), ...limited(5), registration_questions: [lunch] });
    const answers = [{ question_id: 'lunch', value: 'Soup' }];
    await world.call('POST', `${E}/${id}/registrations`, { kind: 'attendee', user_id: 'eva', answers });
    const registration_questions = [
      { ...allergies, label: 'Any allergies?' },
      { ...lunch, options: ['Salad', 'Pizza'] },
    ];
    const added = await world.call('PATCH', `${E}/${id}`, { registration_questions });
    expect(added.status).toBe(200);
    const staff = await world.visit(`/events/${id}/registrations`);
    const row = staff.getByRole('row', { name: /Eva Malá/ });
    await expect.poll(() => row.textContent()).toContain('Any allergies? not answered');
    await staff.getByRole('button', { name: 'Message attendees' }).click();
    const dialog = staff.getByRole('dialog');
    // Until the preview is loaded the dialog grows, and a click may miss what it was aimed at.
    await dialog.getByRole('button', { name: 'Send to 1 person' }).waitFor();
    await dialog.getByLabel('Only those who have not answered all required questions').check();
    expect(await dialog.getByLabel('Subject').inputValue()).toBe('Please answer our questions');
    await dialog.getByRole('button', { name: 'Send to 1 person' }).click();
    await staff.getByText('Sending to 1 person').waitFor();
    await staff.leave();
    const page = await visit(id);
    await page.getByText('1 question still needs your answer.').waitFor();
    await page.getByRole('button', { name: 'Change answers: Eva Malá' }).click();
    await page.getByLabel('Allergies').fill('Fish');
    await page.getByRole('button', { name: 'Save answers' }).click();
    await page.getByText('Fish').waitFor();
    expect(await page.getByText('1 question still needs your answer.').count()).toBe(0);
  });
});
