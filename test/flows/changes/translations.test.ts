import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { newId } from '../../../src/core/ids.ts';
import { untilIdle } from '../../faults/harness/checks.ts';
import { contactOf, openSchool, publishEvent, putPeople } from '../../support/world.ts';

test('each family reads of an event in its own language, by e-mail and in the inbox', async () => {
  const world = await openSchool();
  const parent = (locale: 'cs' | 'en') => {
    const user_id = `${locale}-${newId()}`;
    const email = `${user_id}@people.example`;
    return { ...contactOf(1, { user_id, email, roles: ['parent'], locale }), ...world.scope };
  };
  const [czech, english] = [parent('cs'), parent('en')];
  await putPeople(world, [czech, english]);
  const cs = { title: 'Podzimní koncert', description: 'Hudba a punč.' };
  await publishEvent(world, { description: 'Music and punch.', translations: { cs } });
  await untilIdle(world);

  const read = async ({ user_id, email, roles }: typeof czech) => {
    const mail = world.smtp.messages.find(({ to }) => to.includes(String(email)));
    const { subject, text } = await PostalMime.parse(mail?.raw ?? '');
    const as = await world.token({ ...world.scope, user_id, roles });
    const inbox = (await world.call('GET', '/api/v1/me/inbox', undefined, { as })).body;
    return { subject, text, inbox: (inbox.data as unknown as { title: string }[])[0]?.title };
  };
  const found = (...words: string[]) => expect.stringMatching(new RegExp(words.join('[^]*')));
  expect(await read(czech)).toEqual({
    subject: found(cs.title),
    text: found(cs.title, cs.description),
    inbox: found(cs.title),
  });
  const title = 'Autumn concert';
  expect(await read(english)).toEqual({
    subject: found(title),
    text: found(title, 'Music and punch'),
    inbox: found(title),
  });
});
