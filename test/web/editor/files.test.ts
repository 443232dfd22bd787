import sharp from 'sharp';
import { expect, it } from 'vitest';
import { axeFaults, describeWeb, go, newName, openSite } from '../support/browser.ts';

const PDF = { name: 'Program.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF') };
const EMPTY = { ...PDF, name: 'Empty.pdf', buffer: Buffer.alloc(0) };
const PROGRAM = { name: 'run.exe', mimeType: 'application/pdf', buffer: Buffer.from('MZ\u0000\u0001') };

describeWeb('files of an event', () => {
  it('attaches every file of several that are chosen together', async () => {
    const world = await openSite();
    const page = await world.visit('/events/new?step=advanced');
    const files = ['First.pdf', 'Second.pdf', 'Third.pdf'];
    await page.getByLabel('Choose files or drop them here').setInputFiles(files.map((name) => ({ ...PDF, name })));
    const shown = () =>
      page
        .getByLabel('Name', { exact: true })
        .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
    await expect.poll(shown).toEqual(files);
  });

  it('uploads files and a banner, says which file is refused and why, and shows them on the page of the event', async () => {
    const world = await openSite();
    const page = await world.visit('/events/new');
    page.expectFaults(/415/);
    await page.getByLabel('Title', { exact: true }).fill(newName('Trip'));
    await page.getByRole('link', { name: /More/ }).click();
    await page.getByLabel('Choose files or drop them here').setInputFiles([EMPTY, PROGRAM, PDF]);
    await page
      .getByText('Empty.pdf: The file is empty or can’t be read. If it has changed, choose it again.')
      .waitFor();
    await page
      .getByRole('alert')
      .getByText(/^run\.exe: This kind of file can’t be uploaded/)
      .waitFor();
    await page.getByRole('link', { name: /^Open the file/ }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Program.pdf');
    await page.getByLabel('Name', { exact: true }).fill('Plan of the trip');
    const picture = sharp({ create: { width: 900, height: 300, channels: 3, background: '#17594f' } });
    const buffer = await picture.png().toBuffer();
    const drop = page.getByLabel('Choose a banner image or drop it here');
    await drop.setInputFiles({ name: 'banner.png', mimeType: 'image/png', buffer });
    const preview = page.getByRole('img', { name: 'Banner image' });
    await expect.poll(() => preview.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(900);
    const field = page.getByLabel('Choose a picture or drop it here');
    expect(await field.getAttribute('accept')).toBe('.jpg,.jpeg,.png,.webp,.gif,.avif');
    const dragged = await page.evaluateHandle(
      (bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], 'trip.png', { type: 'image/png' }));
        return data;
      },
      [...buffer],
    );
    await field.dispatchEvent('drop', { dataTransfer: dragged });
    const dropped = page.getByRole('img', { name: 'Picture', exact: true });
    await expect.poll(() => dropped.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(900);
    expect(await page.getByLabel('Or a link to a picture').count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByText('Draft saved').first().waitFor();
    const stored = async () =>
      (await world.database.collection('events').findOne({ 'attachments.name': 'Plan of the trip' }))?.attachments;
    await expect.poll(stored).toMatchObject([{ name: 'Plan of the trip', mime_type: 'application/pdf', size: 14 }]);
    const event = await world.database.collection('events').findOne({ 'attachments.name': 'Plan of the trip' });
    await go(page, `/events/${event?._id}`);
    await page.getByRole('link', { name: /Plan of the trip/ }).waitFor();
    const widths = () =>
      page.locator('#main img').evaluateAll((images) => images.map((one) => (one as HTMLImageElement).naturalWidth));
    await expect.poll(widths).toEqual([900, 900]);
  });
});
