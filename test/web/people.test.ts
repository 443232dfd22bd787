import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { deliveryStore } from '../../src/mongo/notifications/delivery-store.ts';
import { suppressionStore } from '../../src/mongo/notifications/suppression-store.ts';
import { latch } from '../support/latch.ts';
import { aDelivery } from '../support/message-builders.ts';
import { contactOf, draft, putPeople } from '../support/world.ts';
import { axeFaults, describeWeb, go, newName, PARENT, PHONE, provideSite } from './support/browser.ts';
import { createEvent } from './support/site-events.ts';

const CONTACTS = '/api/v1/operations/contacts';

describeWeb('the page People', () => {
  const world = provideSite();

  it('finds a person, shows family, a bounce and why a message was sent, and erases the person', async () => {
    const name = newName('Zdena');
    const user_id = name.replace(' ', '-');
    const email = `${user_id}@home.example`.toLowerCase();
    await world.call('PUT', `${CONTACTS}/${user_id}`, { name, roles: ['parent'], email });
    const child = { name: `Jan ${name}`, roles: ['student'], class_ids: ['5a'], guardians: [user_id] };
    await world.call('PUT', `${CONTACTS}/child-${user_id}`, child);
    const event_id = await createEvent(world, draft(), []);
    const sent = { ...world.scope, event_id, user_id, name, address: email, status: 'sent' as const };
    await deliveryStore(world.database).insertMany([aDelivery({ ...sent, id: user_id, channel: 'email' })]);
    await suppressionStore(world.database).add(world.scope, 'email', email, { kind: 'bounced', why: '5.1.1' });

    const page = await world.visit('/people');
    await page.getByRole('searchbox', { name: 'Search by name' }).fill(name);
    await page.getByRole('combobox', { name: 'Role' }).selectOption({ label: 'Parents' });
    const rows = page.getByRole('list', { name: 'People' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('Parent', { exact: true }).waitFor();
    await page.getByText('Messages bounce').waitFor();
    await page.getByText(/does not exist \(5\.1\.1\)/).waitFor();
    await page.getByRole('link', { name: `Jan ${name}` }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Why' }).waitFor();
    expect(await page.getByRole('button', { name: 'Show recipient' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Why' }).click();
    await page
      .getByRole('dialog', { name: `Notifications for ${name}` })
      .getByText('sent', { exact: false })
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Try again now' }).click();
    await expect.poll(() => page.getByText('Messages bounce').count()).toBe(0);
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await page.waitForURL('**/people');
    await page.getByText('The person was erased').waitFor();
    expect((await world.call('GET', `${CONTACTS}/${user_id}`)).status).toBe(404);
  });

  it('opens a person whose link is followed before the typed name is searched', async () => {
    const name = newName('Zdena');
    const user_id = name.replace(' ', '-');
    await world.call('PUT', `${CONTACTS}/${user_id}`, { name, roles: ['parent'] });
    const page = await world.visit('/people', { clock: true });
    const link = page.getByRole('link', { name });
    await link.waitFor();
    const { open: release, opened: held } = latch();
    await page.route('**/assets/person-page-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('searchbox', { name: 'Search by name' }).fill('Zd');
    await link.click();
    await page.clock.fastForward(1_000);
    release();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  });

  it('imports a CSV file: columns, a look at what would change with its conflicts, then the import, and says what is wrong with a file', async () => {
    const name = newName('Tobias');
    const id = name.replace(' ', '-');
    const head = 'Kód;Jméno;Třída;E-mail';
    const rows = [head, `${id};${name};8.C;not an address`, `;Nobody ${id};8.C;`, `${id}-2;Leaver ${id};8.C;`];
    const page = await world.visit('/people');
    await page.getByRole('link', { name: 'Import people' }).click();
    const choose = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'pupils.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose('');
    await page.getByText('The file has no rows with people.').waitFor();
    expect(await page.getByRole('button', { name: 'Show what would change' }).count()).toBe(0);
    page.expectFaults(/422/);
    await choose('PK\u0003\u0004');
    await page
      .getByText('We can’t read this file. If it comes from Excel, save it as CSV first.', { exact: true })
      .waitFor();
    await choose('Foo;Bar\n1;2');
    await page.getByRole('button', { name: 'Show what would change' }).click();
    await page.getByText('Choose which column contains the name').waitFor();
    await choose(`\ufeff${rows.join('\r\n')}`);
    await expect.poll(() => page.getByLabel('What the column Jméno contains').inputValue()).toBe('name');
    await page.getByRole('button', { name: 'Show what would change' }).click();
    await page.getByRole('heading', { name: '3. Check and import' }).waitFor();
    await page.getByText('Row 2 · Email · not an address').waitFor();
    await page.getByText('Row 3').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('The directory is up to date.').waitFor();
    const { body } = await world.call('GET', `${CONTACTS}/${id}`);
    expect(body).toMatchObject({ name, class_ids: ['8.C'], email: null, roles: ['student'] });
    expect(await page.getByText(/Unpublish them|People who left keep/).count()).toBe(0);

    await choose(`${head}\n${id};${name};9.C;`);
    await page.getByRole('button', { name: 'Show what would change' }).click();
    await page.getByLabel(/^Yes, .* left$/).check();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText(/^Events for a class that were published before .* publish them again\.$/).waitFor();
    await page.getByText('People who left keep their places in coming events', { exact: false }).waitFor();
    await page.getByRole('link', { name: 'Go to People' }).click();
    await page.getByRole('link', { name }).waitFor();
  });

  it('asks to choose a file again that has changed since it was chosen, and goes on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'schoolbell-import-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'pupils.csv');
    const name = newName('Zdena');
    writeFileSync(path, `Name;Class\n${name};8.C`);
    const page = await world.visit('/people/import');
    const field = page.locator('input[type=file]');
    await field.setInputFiles(path);
    const preview = page.getByRole('button', { name: 'Show what would change' });
    await preview.waitFor();
    writeFileSync(path, `Name;Class\n${name};9.C\n`);
    await preview.click();
    await page.getByText('The file is empty or can’t be read. If it has changed, choose it again.').waitFor();
    expect(await page.getByText('The server can’t be reached').count()).toBe(0);
    await field.setInputFiles(path);
    await preview.click();
    await page.getByRole('heading', { name: '3. Check and import' }).waitFor();
  });

  it('shows no part of a page that is opened by hand without its permission', async () => {
    const page = await world.visit('/people', { as: PARENT });
    page.expectFaults(/403/);
    const main = page.getByRole('main');
    for (const [path, title] of [
      ['/people', 'People'],
      ['/people/import', 'Import people'],
      ['/people/someone', 'People'],
      ['/messages', 'Messages'],
      ['/messages/new', 'Write a message'],
      ['/messages/texts', 'Saved texts'],
      ['/events/new', 'New event'],
      ['/events/copy', 'Copy last year’s events'],
    ] as const) {
      await go(page, path);
      await expect.poll(() => main.textContent()).toBe(`${title}You don’t have permission to see or do this.`);
    }
    expect(await axeFaults(page)).toEqual([]);
  });

  it('fits a phone', async () => {
    const name = newName('Radim');
    await world.call('PUT', `${CONTACTS}/${name.replace(' ', '-')}`, { name, roles: ['staff'] });
    const page = await world.visit(`/people/${name.replace(' ', '-')}`, { viewport: PHONE, language: 'cs' });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('bez adresy').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
    expect(await axeFaults(page)).toEqual([]);
  });

  it('says if more people can’t be loaded, and loads them with the next try', async () => {
    const name = newName('Many');
    const many = Array.from({ length: 51 }, (_, at) =>
      contactOf(at, { user_id: `${name} ${at}`, name: `${name} ${at}` }),
    );
    await putPeople(world, many);
    const page = await world.visit(`/people?q=${encodeURIComponent(name)}`);
    page.expectFaults(/500/);
    await page.route(/cursor=/, (route) => route.fulfill({ status: 500, json: { code: 'internal' } }), { times: 1 });
    const more = page.getByRole('button', { name: 'Show more' });
    await more.click();
    await page.getByRole('alert').waitFor();
    await more.click();
    await more.waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('link', { name }).count()).toBe(51);
  });
});
