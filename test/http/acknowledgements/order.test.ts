import { expect, it } from 'vitest';
import { aContact } from '../../support/builders.ts';
import { E, provideHttp, STAFF } from '../../support/http/http-app.ts';

const { ask, given, tables } = await provideHttp();

it('lists people in the order of a dictionary, each once over all pages', async () => {
  const names = ['Adam Novák', 'Čeněk Bílý', 'Ema Malá', 'Ema Malá', 'Šárka Nová', 'Zora Bílá'];
  const people = names.map((name, n) => aContact(`student-${n}`, { name, class_ids: ['5A'] }));
  await tables.contacts.put(...people.reverse());
  const { id } = await given({ target_audience: ['students'], asks_acknowledgement: true });
  const listed: [string, string][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await ask(STAFF, 'GET', `${E}/${id}/acknowledgements?limit=1${query}`);
    listed.push(...body.data.map((one: Record<string, string>) => [one.name, one.user_id]));
    cursor = body.next_cursor;
  }
  expect(listed).toEqual(names.map((name, n) => [name, `student-${n}`]));
});
