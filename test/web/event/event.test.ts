import { expect, it } from 'vitest';
import { latch } from '../../support/latch.ts';
import { aFact } from '../../support/message-builders.ts';
import { E } from '../../support/world.ts';
import { axeFaults, describeWeb, PARENT, provideSite, STAFF, STUDENT } from '../support/browser.ts';
import { provideSharedPage } from '../support/shared-page.ts';
import { createEvent, type Steps } from '../support/site-events.ts';
import { CONCERT, DAY_MS, FAMILY, limited, register, wall } from './concert.ts';

const HOUR_MS = 3_600_000;

describeWeb('the event page', () => {
  const world = provideSite('UTC', FAMILY);
  const open = provideSharedPage(world);

  const make = (more: object = {}, steps?: Steps) => createEvent(world, { ...CONCERT, ...more }, steps);
  const from = (start: number, end: number) => {
    const [[start_date, start_time], [end_date, end_time]] = [wall(start), wall(end)];
    return { start_date, start_time, end_date, end_time };
  };

  it('counts down by the server’s clock on a device whose clock is three days ahead', async () => {
    const now = Date.now();
    const id = await make(from(now + 52.5 * HOUR_MS, now + 54 * HOUR_MS));
    const page = await world.visit(`/events/${id}`, { aheadMs: 3 * DAY_MS });
    await expect.poll(() => page.getByTestId('banner').textContent()).toBe('Starts in 2 days 4\u00a0h');
  });

  it('closes registration at the deadline by the server’s clock without a reload', async () => {
    const closes = (ms: number) => ({ registration_deadline: new Date(Date.now() + ms).toISOString() });
    const id = await make(limited(5, closes(HOUR_MS)));
    const page = await world.visit(`/events/${id}`, { as: STUDENT, live: true, aheadMs: -2 * DAY_MS });
    await page.getByText(/Registration closes in (1|59|58|57)\s(h|min)/).waitFor();
    await page.getByRole('button', { name: 'Register' }).waitFor();
    // Bring the deadline forward only now, so that a slow machine does not miss it.
    expect((await world.call('PATCH', `${E}/${id}`, closes(4_000))).status).toBe(200);
    await page.getByText('Registration has closed').waitFor();
    await page.getByText('The registration deadline has passed.').waitFor();
    expect(await page.getByRole('button', { name: 'Register' }).count()).toBe(0);
  });

  it('shows the schedule in the event’s zone and in the user’s, if that is another', async () => {
    const times = { start_date: '2027-03-10', end_date: '2027-03-10', start_time: '18:00', end_time: '20:00' };
    const id = await make({ ...times, timezone: 'America/New_York' });
    const page = await open(`/events/${id}`);
    const when = page.getByRole('region', { name: 'When' });
    await when.getByText('18:00–20:00 (GMT-5)').waitFor();
    expect(await when.textContent()).toMatch(/Your time \(CET\): Thu,? 11 Mar( 2027)?, 00:00–02:00/);
  });

  it('shows staff what people answered to text messages, and nothing to families', async () => {
    const id = await make();
    const answer = { user_id: 'parent-1', name: 'Jana Nováková', email: null, channel: 'sms', text: 'We come by car.' };
    const fact = aFact('message.answered', { ...answer, sid: `SM-${id}` }, { id: `answer-${id}`, event_id: id });
    const stored = { ...fact, ...world.scope, _id: fact.id, id: undefined };
    await world.database.collection('facts').insertOne(stored as never);
    const page = await open(`/events/${id}`);
    const answers = page.getByRole('region', { name: 'Replies to text messages' });
    await answers.getByText('We come by car.').waitFor();
    expect(await answers.textContent()).toContain('Jana Nováková');
    const family = await world.visit(`/events/${id}`, { as: PARENT });
    await family.getByRole('region', { name: 'When' }).waitFor();
    expect(await family.getByText('We come by car.').count()).toBe(0);
  });

  it('previews who an action notifies, and lists a forbidden action with the reason, but none that does not fit the status', async () => {
    const id = await make(limited(4, { title: 'Concert in the hall', timezone: 'Europe/Prague' }));
    for (const name of ['eva', 'jan']) await register(world, id, name);
    const page = await world.visit(`/events/${id}/registrations`, { live: true });
    await page.getByRole('link', { name: 'Concert in the hall' }).click();
    await page.getByTestId('banner').waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    const refused = page.getByRole('menuitem', { name: /^Delete/ });
    expect(await refused.textContent()).toContain('Not possible while places are taken');
    expect(await page.getByRole('menuitem', { name: 'End now' }).count()).toBe(0);
    // In the zone of the browser.
    expect(await page.getByText('Your time').count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Cancel event' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel event: Concert in the hall' });
    await dialog.getByText('2 people will be notified.').waitFor();
    const button = dialog.getByRole('button', { name: 'Cancel event and notify 2 people' });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('The hall is flooded.');
    // A dry run that is repeated when the event changes would fail once the event is cancelled.
    const dryRuns: string[] = [];
    page.on('request', (request) => request.url().includes('dry_run') && dryRuns.push(request.url()));
    await world.call('PATCH', `${E}/${id}`, { description: 'Bring a chair.' });
    await page.getByText('Bring a chair.').waitFor();
    expect(dryRuns).toEqual([]);
    // A reason that was typed is not lost by the browser’s Back.
    const questions: string[] = [];
    page.once('dialog', (question) => {
      questions.push(question.message());
      void question.dismiss();
    });
    await page.evaluate(() => history.back());
    await expect.poll(() => questions).toEqual(['Discard what you have written?']);
    await button.click();
    await expect
      .poll(() => page.getByTestId('banner').textContent())
      .toBe('This event is cancelled.The hall is flooded.');
  });

  it('takes no confirmation before it is known who will be notified, and keeps the dialog in its place', async () => {
    const page = await open(`/events/${await make({}, [])}`);
    const { open: answer, opened: asked } = latch();
    await page.route(/dry_run/, async (route) => {
      await asked;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Publish' }).click();
    const dialog = page.getByRole('dialog', { name: /^Publish/ });
    const publish = dialog.getByRole('button', { name: /^Publish/ });
    expect(await publish.isDisabled()).toBe(true);
    const top = await dialog.boundingBox();
    answer();
    await expect.poll(() => publish.isDisabled()).toBe(false);
    expect((await dialog.boundingBox())?.y).toBe(top?.y);
    await page.unroute(/dry_run/);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('says beside the date that an event can’t be postponed into the past, and beside the time which zone it is in', async () => {
    const page = await open(`/events/${await make()}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Postpone' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Time zone: UTC').waitFor();
    const date = dialog.getByLabel('New date', { exact: true });
    await dialog.getByLabel('Reason').fill('Snow');
    const postpone = dialog.getByRole('button', { name: /^Postpone/ });
    for (const [day, fault] of [
      ['2020-02-03', 'Enter a date in the future.'],
      ['2099-02-03', ''],
    ] as const) {
      await date.fill(day);
      await expect.poll(() => date.evaluate((input) => input.parentElement?.textContent)).toBe(`New date${fault}`);
      await dialog.getByText(/will be notified/).waitFor();
      await expect.poll(() => postpone.isDisabled()).toBe(fault !== '');
    }
    page.once('dialog', (question) => question.accept());
    await page.keyboard.press('Escape');
  });

  it('names the old date before it publishes an event that was postponed without a new one', async () => {
    const day = { start_date: '2031-05-14', end_date: '2031-05-14' };
    const undecided = ['postpone', { reason: 'Snow', new_start_date: null }] as const;
    const page = await open(`/events/${await make(day, [['publish'], undecided])}`);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByText('Wednesday, 14 May 2031, 18:00–20:00').waitFor();
    await page.keyboard.press('Escape');
  });

  it('schedules a draft in the dialog of Publish, which asks when, and nowhere else', async () => {
    const page = await open(`/events/${await make({}, [])}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Schedule' }).count()).toBe(0);
  });

  it('lists an action that needs another permission, and says so', async () => {
    const id = await make();
    const page = await world.visit(`/events/${id}`, {
      as: { ...STAFF, permissions: ['events.view', 'events.update'] },
    });
    await page.getByRole('button', { name: 'More actions' }).click();
    expect(await page.getByRole('menuitem', { name: /^Delete/ }).textContent()).toContain('You don’t have permission');
  });

  it('shows the delivery report with reasons', async () => {
    const id = await make({ send_notifications: false });
    const row = {
      ...world.scope,
      event_id: id,
      fact_id: 'f',
      trigger: 'event.published',
      channel: 'email',
      name: 'Eva Malá',
    };
    const delivery = { also: [], on_behalf_of: [], registration_ids: [], due_at: new Date(), created_at: new Date() };
    await world.database.collection('deliveries').insertMany([
      { ...row, ...delivery, _id: `${id}-1`, user_id: 'p-1', status: 'sent', reason: null },
      {
        ...row,
        ...delivery,
        _id: `${id}-2`,
        user_id: 'p-2',
        status: 'skipped',
        reason: 'no_contact',
        name: 'Jan Král',
      },
      { ...row, ...delivery, _id: `${id}-4`, user_id: 'p-2', channel: 'sms', status: 'failed', reason: 'refused' },
    ] as never);
    const page = await open(`/events/${id}`);
    const report = page.getByRole('region', { name: 'Delivery report' });
    await report.getByText(/1 × no contact details/).waitFor();
    await report.getByText(/: 1 of \d people reached/).waitFor();
    // Right after a change the page learns of later messages without a reload.
    await world.database
      .collection('deliveries')
      .insertOne({ ...row, ...delivery, _id: `${id}-3`, user_id: 'p-3', status: 'sent', reason: null } as never);
    await report.getByText(/: 2 of \d people reached/).waitFor();
    await report.getByRole('button', { name: /^Not reached/ }).click();
    await report.getByRole('searchbox', { name: 'Search by name' }).fill('král');
    await report.getByText('Jan Král').waitFor();
    expect(await report.getByText('Eva Malá').count()).toBe(0);
    await report.getByRole('button', { name: /Jan Král/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Notifications for Jan Král' });
    await dialog.getByText('Add the address or phone number under People. Later messages will use it.').waitFor();
    // One message failed and can be sent again; the other has no address.
    await dialog.getByRole('button', { name: 'Send again' }).click();
    const question = page.getByRole('dialog', { name: 'Send again' });
    await question.getByText('If it is not corrected yet, correct it first.', { exact: false }).waitFor();
    await question.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The message will be sent again if it still applies').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Send again' }).count()).toBe(0);
    const retried = { event_id: id, type: 'delivery.retried' };
    expect(await world.database.collection('facts').countDocuments(retried as never)).toBe(1);
  });

  it('explains in the delivery report also why a person of the directory got no message at all', async () => {
    const person = { name: 'Božena Tichá', email: 'bozena@people.example', roles: ['staff'], locale: 'en' };
    expect((await world.call('PUT', '/api/v1/operations/contacts/bozena', person)).status).toBeLessThan(300);
    const id = await make({ target_audience: ['external'] });
    const page = await open(`/events/${id}`);
    const report = page.getByRole('region', { name: 'Delivery report' });
    await report.getByText('No messages are listed here.', { exact: false }).waitFor();
    await report.getByRole('searchbox', { name: 'Search by name' }).fill('tich');
    await report.getByRole('button', { name: /Božena Tichá No message/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Notifications for Božena Tichá' });
    await dialog.getByText('not notified: meant for other roles').first().waitFor();
    expect(await report.getByText('No one found.').count()).toBe(0);
  });

  it('says that nothing has been announced to a person, and that a reminder was not sent', async () => {
    const now = Date.now();
    const soon = from(now + 2 * HOUR_MS, now + 3 * HOUR_MS);
    const fields = { ...soon, registration_type: 'optional', reminders: [{ type: 'email', offset: 1_440 }] };
    const id = await make(fields, []);
    const page = await open(`/events/${id}`);
    const report = page.getByRole('region', { name: 'Delivery report' });
    await report.getByRole('searchbox', { name: 'Search by name' }).fill('tich');
    await report.getByRole('button', { name: /Božena Tichá No message/ }).click();
    await page.getByText('There is no record: nothing has been announced yet', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    expect((await world.call('POST', `${E}/${id}/publish`)).status).toBe(200);
    const history = page.getByRole('region', { name: 'History' });
    await page.reload();
    await history.getByText('A reminder was not sent: its time had already passed').waitFor();
  });

  it('passes axe with every field filled, shows parents no delivery report, and downloads the event as a calendar file', async () => {
    const id = await make(
      limited(4, {
        description: 'Look at https://school.example, it is all there.',
        location: {
          name: 'Hall',
          room: '1',
          isVirtual: true,
          virtualLink: 'https://meet.example/1',
          mapLink: 'https://maps.example/1',
        },
        attachments: [{ name: 'Programme.pdf', url: 'https://school.example/p.pdf', size: 182_000 }],
        organizer: { type: 'department', name: 'Music', email: 'music?cc=head@school.example' },
        tags: ['music'],
        image_url: `${world.apiUrl}/favicon.svg`,
        is_featured: true,
      }),
    );
    await register(world, id, 'student-1');
    const page = await world.visit(`/events/${id}`, { as: PARENT });
    await page.getByRole('button', { name: 'Register myself' }).click();
    await page.getByText('Music', { exact: true }).waitFor();
    await page.getByText('Room 1', { exact: true }).waitFor();
    const mail = page.getByRole('link', { name: 'music?cc=head@school.example' });
    expect(await mail.getAttribute('href')).toBe('mailto:music%3Fcc%3Dhead@school.example');
    await page.getByRole('article').locator('img[src$="/favicon.svg"]').waitFor();
    expect(await page.getByText('Delivery report').count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Add to my calendar' }).click();
    expect((await download).suggestedFilename()).toBe('event.ics');
  });
});
